// STL: 80 bytes of anything, a count, and triangles of 50 bytes; or words, "vertex x y z" among
// them. Binary files may begin with the word that text files begin with, so the size decides.
#include <array>
#include <bit>
#include <cstdint>

#include "mesh/mesh.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50, kNormal = 12;

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

double float_at(std::string_view bytes, std::size_t at) {
  return static_cast<double>(std::bit_cast<float>(word_at(bytes, at)));
}

std::vector<MeshPoint> read_binary(std::string_view bytes, std::size_t triangles) {
  std::vector<MeshPoint> points;
  points.reserve(3 * triangles);
  for (std::size_t i = 0; i < triangles; ++i) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = kHeader + kTriangle * i + kNormal + 12 * corner;
      points.push_back({float_at(bytes, at), float_at(bytes, at + 4), float_at(bytes, at + 8)});
    }
  }
  return points;
}

std::vector<MeshPoint> read_text(std::string_view text) {
  std::vector<MeshPoint> points;
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
    if (word != "vertex") continue;
    std::array<double, 3> p{};
    for (double& x : p) {
      const auto number = parse_number(take_word(text));
      if (!number) {
        throw BadMesh("vertex " + std::to_string(points.size() + 1) +
                      " is not three numbers; is the file complete? Export it again");
      }
      x = *number;
    }
    add_point({p[0], p[1], p[2]}, points);
  }
  return points;
}

}  // namespace

std::vector<MeshPoint> read_stl(std::string_view bytes) {
  const bool solid = bytes.starts_with("solid");
  const std::size_t room = bytes.size() < kHeader ? 0 : (bytes.size() - kHeader) / kTriangle;
  const std::size_t count = bytes.size() < kHeader ? 0 : word_at(bytes, kHeader - 4);
  const bool exact = bytes.size() >= kHeader && bytes.size() == kHeader + kTriangle * count;
  if (exact || (!solid && bytes.size() >= kHeader && count <= room)) {
    return read_binary(bytes, count);
  }
  if (solid) return read_text(bytes);
  if (bytes.size() < kHeader) throw BadMesh("it is no STL; export it again");
  throw BadMesh("it speaks of " + std::to_string(count) + " triangles and holds " +
                std::to_string(room) + "; is the file complete? Export it again");
}

}  // namespace lockstep::host
