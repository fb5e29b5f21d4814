#include "urdf/parse_collision.hpp"

#include "text/number.hpp"

namespace lockstep::host {

using tinyxml2::XMLElement;

namespace {

struct GeometryName {
  std::string_view name;
  Geometry geometry;
};
constexpr GeometryName kGeometryNames[] = {
    {"sphere", Geometry::kSphere},   {"box", Geometry::kBox},   {"cylinder", Geometry::kCylinder},
    {"capsule", Geometry::kCapsule}, {"mesh", Geometry::kMesh},
};

// The sizes that the type needs.
void parse_shape(const XMLElement& element, Geometry geometry, ElementReader& read,
                 DraftCollision& collision) {
  collision.geometry = geometry;
  switch (geometry) {
    case Geometry::kBox: collision.size = read.required_triple(element, "size"); return;
    case Geometry::kMesh:
      if (!element.Attribute("filename")) read.missing(element, "filename");
      collision.mesh = element.Attribute("filename") ? element.Attribute("filename") : "";
      collision.scale = read.triple(element, "scale").value_or(Triple{1, 1, 1});
      return;
    case Geometry::kCylinder:
    case Geometry::kCapsule: collision.length = read.required_number(element, "length"); break;
    case Geometry::kSphere: break;
  }
  collision.radius = read.required_number(element, "radius");
}

void parse_geometry(const XMLElement& geometry, ElementReader& read, Findings& findings,
                    DraftCollision& collision) {
  const XMLElement* shape = geometry.FirstChildElement();
  collision.geometry_line = (shape ? shape : &geometry)->GetLineNum();
  if (shape) {
    const std::string_view given = shape->Name();
    for (const GeometryName& row : kGeometryNames) {
      if (given == row.name) return parse_shape(*shape, row.geometry, read, collision);
    }
  }
  const std::string found = shape ? "is " + quote(shape->Name()) : std::string("is empty");
  findings.error(collision.geometry_line, "collision-geometry",
                 read.owner() + ": the <geometry> of a <collision> " + found,
                 "use <sphere>, <box>, <cylinder>, <capsule> or <mesh>");
}

DraftCollision parse_collision(const XMLElement& element, ElementReader& read, Findings& findings) {
  DraftCollision collision;
  if (const char* name = element.Attribute("name")) collision.name = name;
  collision.line = element.GetLineNum();
  collision.origin = read.origin(element);
  if (const XMLElement* geometry = read.required(element, "geometry")) {
    parse_geometry(*geometry, read, findings, collision);
  }
  if (const XMLElement* contact = element.FirstChildElement("contact")) {
    collision.friction = read.number(*contact, "friction");
    collision.restitution = read.number(*contact, "restitution");
    collision.contact_line = contact->GetLineNum();
  }
  return collision;
}

}  // namespace

std::vector<DraftCollision> parse_collisions(const XMLElement& link, ElementReader& read,
                                             Findings& findings) {
  std::vector<DraftCollision> collisions;
  for (auto* element = link.FirstChildElement("collision"); element;
       element = element->NextSiblingElement("collision")) {
    // some exporters write an empty one where there is no shape
    if (element->NoChildren()) continue;
    collisions.push_back(parse_collision(*element, read, findings));
  }
  return collisions;
}

DraftLinkPair parse_link_pair(const XMLElement& element, ElementReader& read) {
  read.own("<" + std::string(element.Name()) + ">");
  return {read.link(element, "link1"), read.link(element, "link2"), element.GetLineNum()};
}

std::optional<DraftFriction> parse_gazebo(const XMLElement& element) {
  const char* link = element.Attribute("reference");
  const XMLElement* mu = element.FirstChildElement("mu1");
  if (!link || !mu) return std::nullopt;
  const char* text = mu->Attribute("value") ? mu->Attribute("value") : mu->GetText();
  const std::optional<double> friction = text ? parse_number(text) : std::nullopt;
  if (!friction || !(*friction >= 0) || *friction > ElementReader::kLargest) return std::nullopt;
  return DraftFriction{link, *friction};
}

}  // namespace lockstep::host
