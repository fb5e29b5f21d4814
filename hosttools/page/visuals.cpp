#include "page/visuals.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <map>

#include "mesh/hull.hpp"
#include "mesh/locate.hpp"
#include "text/number.hpp"
#include "urdf/placement.hpp"
#include "urdf/rotation.hpp"
#include "urdf/xacro.hpp"

namespace lockstep::host {

namespace {

using tinyxml2::XMLElement;
using Colour = std::array<double, 4>;

constexpr std::size_t kMostTriangles = 20'000;    // of a mesh
constexpr std::size_t kMostPagePoints = 300'000;  // of all meshes

template <std::size_t kCount>
std::optional<std::array<double, kCount>> numbers(const XMLElement* element, const char* name) {
  const char* text = element == nullptr ? nullptr : element->Attribute(name);
  if (text == nullptr) return std::nullopt;
  const auto words = words_of(text);
  std::array<double, kCount> result{};
  if (words.size() != kCount) return std::nullopt;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto number = parse_number(words[i]);
    if (!number) return std::nullopt;
    result[i] = *number;
  }
  return result;
}

double number(const XMLElement* element, const char* name) {
  return numbers<1>(element, name).value_or(std::array{0.0})[0];
}

class Reader {
 public:
  Reader(const std::string& file, const MeshOptions& options) : file_(file), options_(options) {}

  Visuals read(const XMLElement& robot) {
    for (auto* material = robot.FirstChildElement("material"); material != nullptr;
         material = material->NextSiblingElement("material")) {
      keep_colour(*material);
    }
    for (auto* link = robot.FirstChildElement("link"); link != nullptr;
         link = link->NextSiblingElement("link")) {
      const char* name = link->Attribute("name");
      for (auto* visual = link->FirstChildElement("visual"); visual != nullptr && name != nullptr;
           visual = visual->NextSiblingElement("visual")) {
        add(name, *visual);
      }
    }
    return std::move(result_);
  }

 private:
  std::optional<Colour> keep_colour(const XMLElement& material) {
    const char* name = material.Attribute("name");
    const auto colour = numbers<4>(material.FirstChildElement("color"), "rgba");
    if (name == nullptr) return colour;
    if (colour) colours_.emplace(name, *colour);  // the first of a name is the robot's
    const auto known = colours_.find(name);
    return colour ? colour : known == colours_.end() ? std::nullopt : std::optional(known->second);
  }

  void add(const char* link, const XMLElement& element) {
    const XMLElement* origin = element.FirstChildElement("origin");
    Visual visual;
    visual.link = link;
    const Triple rpy = numbers<3>(origin, "rpy").value_or(Triple{});
    visual.X_LV = {to_mat(rotation_from_rpy(rpy)),
                   to_vec(numbers<3>(origin, "xyz").value_or(Triple{}))};
    if (const auto* material = element.FirstChildElement("material")) {
      visual.colour = keep_colour(*material);
    }
    const XMLElement* geometry = element.FirstChildElement("geometry");
    const XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
    if (shape != nullptr && set_shape(*shape, visual)) result_.shapes.push_back(visual);
  }

  bool set_shape(const XMLElement& shape, Visual& visual) {
    using contact::ShapeType;
    const std::string_view name = shape.Name();
    visual.radius = number(&shape, "radius");
    visual.half[2] = 0.5 * number(&shape, "length");
    if (name == "box") {
      visual.type = ShapeType::kBox;
      const auto size = numbers<3>(&shape, "size");
      for (std::size_t i = 0; size && i < 3; ++i) visual.half[i] = 0.5 * (*size)[i];
      return size.has_value();
    }
    if (name == "mesh") {
      visual.scale = numbers<3>(&shape, "scale").value_or(Triple{1, 1, 1});
      const char* file = shape.Attribute("filename");
      const auto mesh = file == nullptr ? std::nullopt : mesh_of(file);
      visual.mesh = mesh.value_or(0);
      return mesh.has_value();
    }
    if (name == "sphere") visual.type = ShapeType::kSphere;
    if (name == "capsule") visual.type = ShapeType::kCapsule;
    if (name == "cylinder") visual.type = ShapeType::kCylinder;
    return visual.type != ShapeType::kPoints && visual.radius > 0;
  }

  // Each file is read once; none if it cannot be had.
  std::optional<std::size_t> mesh_of(const std::string& name) {
    const auto [entry, is_new] = meshes_.try_emplace(name);
    if (!is_new) return entry->second;
    const auto file = locate_mesh(name, file_, options_.package_paths);
    if (!file) return std::nullopt;
    try {
      std::vector<MeshPoint> points = read_mesh(*file);
      std::string extension = file->extension().string();
      std::ranges::transform(extension, extension.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      });
      DrawnMesh mesh;
      mesh.triangles = extension == ".stl" && points.size() <= 3 * kMostTriangles &&
                       points.size() % 3 == 0 && points_ + points.size() <= kMostPagePoints;
      mesh.points = mesh.triangles ? std::move(points) : convex_hull(std::move(points));
      points_ += mesh.points.size();
      result_.meshes.push_back(std::move(mesh));
      entry->second = result_.meshes.size() - 1;
    } catch (const std::runtime_error&) {  // damaged, or of a kind that is not read
    }
    return entry->second;
  }

  const std::string file_;
  const MeshOptions& options_;
  Visuals result_;
  std::map<std::string, Colour> colours_;
  std::map<std::string, std::optional<std::size_t>> meshes_;
  std::size_t points_ = 0;
};

}  // namespace

Visuals visuals_of(const std::string& text, const std::string& file, const MeshOptions& options) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) return {};
  const XMLElement* robot = document.RootElement();
  return robot == nullptr ? Visuals() : Reader(file, options).read(*robot);
}

Visuals read_visuals(const std::string& file, const ScanLimits& limits,
                     const MeshOptions& options) {
  Findings findings;
  std::string text = load(file, limits, findings);
  if (const int line = first_macro(text); line > 0 && text.size() <= limits.max_bytes) {
    text = expand_macros(file, line, limits, findings);
  }
  if (!findings.has_error()) scan(text, limits, findings);
  return findings.has_error() ? Visuals() : visuals_of(text, file, options);
}

}  // namespace lockstep::host
