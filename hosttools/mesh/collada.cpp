// COLLADA: geometries, and a scene that says where they are. Read are positions, the nodes'
// matrices, translations, rotations and scales, and the unit. The axis that is up is not looked at:
// neither rviz nor Gazebo turn a mesh by it, and robots are drawn for these.
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "lockstep/trig.hpp"
#include "mesh/mesh.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"
#include "text/xml.hpp"

namespace lockstep::host {

namespace {

using tinyxml2::XMLElement;

struct Affine {
  Mat3<double> M = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  MeshPoint p = {};

  friend Affine operator*(const Affine& a, const Affine& b) { return {a.M * b.M, a.p + a.M * b.p}; }
};

template <class F>
void for_children(const XMLElement& parent, const char* name, F&& f) {
  for (auto* child = parent.FirstChildElement(name); child;
       child = child->NextSiblingElement(name)) {
    f(*child);
  }
}

[[noreturn]] void refuse(const XMLElement& element, const std::string& why) {
  throw BadMesh("line " + std::to_string(element.GetLineNum()) + ": <" + element.Name() + "> " +
                why + "; export it again");
}

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value ? value : "";
}

std::vector<double> numbers_of(const XMLElement& element) {
  std::vector<double> numbers;
  std::string_view text = element.GetText() ? element.GetText() : "";
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
    const std::optional<double> number = parse_number(word);
    if (!number) refuse(element, "holds " + quote(word) + ", which is no number");
    if (numbers.size() == 3 * kMaxMeshPoints) refuse(element, "holds too many numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<double> numbers_of(const XMLElement& element, std::size_t count) {
  std::vector<double> numbers = numbers_of(element);
  if (numbers.size() != count)
    refuse(element, "does not hold " + std::to_string(count) + " numbers");
  return numbers;
}

// Rodrigues' formula; the axis may have any length but zero.
Mat3<double> rotation(const XMLElement& element) {
  const std::vector<double> n = numbers_of(element, 4);
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 0)) refuse(element, "has no axis");
  double s, c;
  if (!(std::fabs(n[3]) <= 1e6)) refuse(element, "turns too far");
  sincos(n[3] * std::numbers::pi / 180, s, c);
  const double x = n[0] / length, y = n[1] / length, z = n[2] / length, d = 1 - c;
  return {{c + d * x * x, d * x * y + s * z, d * x * z - s * y},
          {d * x * y - s * z, c + d * y * y, d * y * z + s * x},
          {d * x * z + s * y, d * y * z - s * x, c + d * z * z}};
}

// What one child of a node does to what follows it, if it does anything.
std::optional<Affine> transform(const XMLElement& element) {
  const std::string_view name = element.Name();
  if (name == "matrix") {
    const std::vector<double> m = numbers_of(element, 16);
    return Affine{{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}},
                  {m[3], m[7], m[11]}};
  }
  if (name == "translate") {
    const std::vector<double> t = numbers_of(element, 3);
    return Affine{.p = {t[0], t[1], t[2]}};
  }
  if (name == "scale") {
    const std::vector<double> s = numbers_of(element, 3);
    return Affine{.M = {{s[0], 0, 0}, {0, s[1], 0}, {0, 0, s[2]}}};
  }
  if (name == "rotate") return Affine{.M = rotation(element)};
  for (const char* unread : {"skew", "lookat", "instance_node", "instance_controller"}) {
    if (name == unread) {
      throw UnreadMesh("<" + std::string(unread) + "> in line " +
                       std::to_string(element.GetLineNum()) +
                       " is not read; convert it to .stl or .obj");
    }
  }
  return std::nullopt;
}

class Collada {
 public:
  explicit Collada(const XMLElement& root) {
    for_children(root, "library_geometries", [&](const XMLElement& library) {
      for_children(library, "geometry", [&](const XMLElement& geometry) { add(geometry); });
    });
    const Affine scale = in_metres(root);
    bool scene = false;
    for_children(root, "library_visual_scenes", [&](const XMLElement& library) {
      for_children(library, "visual_scene", [&](const XMLElement& one) {
        scene = true;
        place(one, scale);
      });
    });
    if (scene) return;
    for (const auto& [id, points] : geometries_) append(points, scale);
  }

  std::vector<MeshPoint> take() && { return std::move(points_); }

 private:
  static Affine in_metres(const XMLElement& root) {
    const XMLElement* asset = root.FirstChildElement("asset");
    const XMLElement* unit = asset ? asset->FirstChildElement("unit") : nullptr;
    double m = 1;
    if (unit && unit->Attribute("meter")) {
      m = parse_number(unit->Attribute("meter")).value_or(0);
      if (!(m > 0)) refuse(*unit, "is not a positive number");
    }
    return {.M = {{m, 0, 0}, {0, m, 0}, {0, 0, m}}};
  }

  // The positions of a mesh: <vertices> names the <source> that holds them.
  void add(const XMLElement& geometry) {
    for_children(geometry, "mesh", [&](const XMLElement& mesh) {
      for_children(mesh, "vertices", [&](const XMLElement& vertices) {
        for_children(vertices, "input", [&](const XMLElement& input) {
          if (attribute(input, "semantic") != "POSITION") return;
          const std::string source = attribute(input, "source");
          for_children(mesh, "source", [&](const XMLElement& candidate) {
            if ("#" + attribute(candidate, "id") == source) add(geometry, candidate);
          });
        });
      });
    });
  }

  void add(const XMLElement& geometry, const XMLElement& source) {
    const XMLElement* array = source.FirstChildElement("float_array");
    if (!array) return;
    const std::vector<double> numbers = numbers_of(*array);
    if (numbers.size() % 3 != 0) refuse(*array, "does not hold three numbers a vertex");
    std::vector<MeshPoint>& points = geometries_["#" + attribute(geometry, "id")];
    for (std::size_t i = 0; i < numbers.size(); i += 3) {
      points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    }
  }

  // Nodes nest no deeper than tinyxml2 allows.
  void place(const XMLElement& node, Affine X) {
    for (auto* child = node.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (const std::optional<Affine> next = transform(*child)) X = X * *next;
      if (name == "node") place(*child, X);
      if (name == "instance_geometry") {
        const auto found = geometries_.find(attribute(*child, "url"));
        if (found != geometries_.end()) append(found->second, X);
      }
    }
  }

  void append(const std::vector<MeshPoint>& points, const Affine& X) {
    for (const MeshPoint& p : points) add_point(X.p + X.M * p, points_);
  }

  std::map<std::string, std::vector<MeshPoint>> geometries_;
  std::vector<MeshPoint> points_;
};

}  // namespace

std::vector<MeshPoint> read_collada(std::string_view text) {
  constexpr int kMaxTags = 1'000'000;  // the library takes 100 bytes for each
  int tags = 0;
  for (std::size_t at = text.find('<'), end = 0; at != text.npos; at = text.find('<', end)) {
    const Markup markup = markup_at(text, at);
    if (++tags > kMaxTags) {
      throw BadMesh("it has more than " + std::to_string(kMaxTags) +
                    " elements; convert it to .stl");
    }
    if (markup.attributes > kMaxAttributes) {
      throw BadMesh("an element has more than " + std::to_string(kMaxAttributes) +
                    " attributes; export it again");
    }
    end = markup.end;  // npos: the library tells
  }
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    throw BadMesh("line " + std::to_string(document.ErrorLineNum()) +
                  ": it is not well-formed XML; is the file complete? Export it again");
  }
  const XMLElement* root = document.RootElement();
  if (!root || std::string_view(root->Name()) != "COLLADA") {
    throw BadMesh("the outermost element is not <COLLADA>; export it again");
  }
  return Collada(*root).take();
}

}  // namespace lockstep::host
