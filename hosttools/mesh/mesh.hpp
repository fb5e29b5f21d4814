// Files of meshes, as far as contact needs them: the points that their surfaces have. Plain double
// arithmetic in one order: every host finds the same bits.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/spatial.hpp"

namespace lockstep::host {

using MeshPoint = Vec3<double>;  // in the file's units, or m once it is scaled

// More than the largest file of triangles holds; words and instances take fewer bytes.
inline constexpr std::size_t kMaxMeshPoints = 5'000'000;

// The file is damaged: what() tells what is wrong with it.
class BadMesh : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// It is sound, for all we know, but says more than is read here.
class UnreadMesh : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One format each, from the bytes of a file.
std::vector<MeshPoint> read_stl(std::string_view bytes);
std::vector<MeshPoint> read_obj(std::string_view text);
std::vector<MeshPoint> read_collada(std::string_view text);  // in m, axes as they are

// Throws BadMesh if there would be more than kMaxMeshPoints.
void add_point(const MeshPoint& point, std::vector<MeshPoint>& points);

// By the file's extension: .stl, .obj or .dae. Throws BadMesh also if there is no point, or one is
// not finite.
std::vector<MeshPoint> read_mesh(const std::filesystem::path& file);

}  // namespace lockstep::host
