// Wavefront OBJ: a line each; those that begin with v are vertices, and the only ones read.
#include <algorithm>

#include "mesh/mesh.hpp"
#include "text/number.hpp"

namespace lockstep::host {

std::vector<MeshPoint> read_obj(std::string_view text) {
  std::vector<MeshPoint> points;
  int number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (!line.starts_with("v ") && !line.starts_with("v\t")) continue;
    const std::vector<std::string_view> words = words_of(line);
    const auto coordinate = [&](std::size_t i) {
      const auto value = i < words.size() ? parse_number(words[i]) : std::nullopt;
      if (!value) {
        throw BadMesh("line " + std::to_string(number) +
                      ": the vertex is not three numbers; export it again");
      }
      return *value;
    };
    add_point({coordinate(1), coordinate(2), coordinate(3)}, points);
  }
  return points;
}

}  // namespace lockstep::host
