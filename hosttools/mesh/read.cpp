#include <algorithm>
#include <cctype>
#include <cmath>

#include "mesh/mesh.hpp"
#include "system/read_file.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

// Beyond any mesh that is meant for contact; a robot may name many.
constexpr std::size_t kMaxBytes = 64 * kMebibyte;
constexpr double kLargest = 1e12;  // as in robots: squares and cubes cannot overflow

std::string load_bytes(const std::filesystem::path& file) {
  FileText text = try_read_file(file, kMaxBytes);
  if (!text.trouble.empty()) throw BadMesh("it " + text.trouble + "; check its permissions");
  if (text.bytes.size() > kMaxBytes) {
    throw BadMesh("it is larger than 64 MiB; give a coarser mesh");
  }
  return std::move(text.bytes);
}

std::vector<MeshPoint> read_by_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".stl") return read_stl(load_bytes(file));
  if (extension == ".obj") return read_obj(load_bytes(file));
  if (extension == ".dae") return read_collada(load_bytes(file));
  throw UnreadMesh("files " + quote(extension) + " are not read; convert it to .stl, .obj or .dae");
}

}  // namespace

void add_point(const MeshPoint& point, std::vector<MeshPoint>& points) {
  if (points.size() == kMaxMeshPoints) {
    throw BadMesh("it has more than " + std::to_string(kMaxMeshPoints) +
                  " vertices; give a coarser mesh");
  }
  points.push_back(point);
}

std::vector<MeshPoint> read_mesh(const std::filesystem::path& file) {
  std::vector<MeshPoint> points = read_by_extension(file);
  if (points.empty()) throw BadMesh("it has no vertex; export it again");
  for (const MeshPoint& p : points) {
    for (const double x : {p.x, p.y, p.z}) {
      if (!(std::fabs(x) <= kLargest)) {
        throw BadMesh("a vertex is not finite or beyond any robot; export it again");
      }
    }
  }
  return points;
}

}  // namespace lockstep::host
