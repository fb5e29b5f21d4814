#include "text/number.hpp"
#include "urdf/element_reader.hpp"
#include "urdf/parse_devices.hpp"
#include "urdf/rules.hpp"
#include "urdf/vocabulary.hpp"

namespace lockstep::host {

using tinyxml2::XMLAttribute;
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

// Those of a link, which is the reader's owner.
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

// <contact_pair link1="" link2=""/> and <disable_collisions link1="" link2=""/>.
DraftLinkPair parse_link_pair(const XMLElement& element, ElementReader& read) {
  read.own("<" + std::string(element.Name()) + ">");
  return {read.link(element, "link1"), read.link(element, "link2"), element.GetLineNum()};
}

// <gazebo reference="link"><mu1>0.8</mu1></gazebo>, or <mu1 value="0.8"/>; what else is in there,
// and what makes no sense, is Gazebo's.
std::optional<DraftFriction> parse_gazebo(const XMLElement& element) {
  const char* link = element.Attribute("reference");
  const XMLElement* mu = element.FirstChildElement("mu1");
  if (!link || !mu) return std::nullopt;
  const char* text = mu->Attribute("value") ? mu->Attribute("value") : mu->GetText();
  const std::optional<double> friction = text ? parse_number(text) : std::nullopt;
  if (!friction || !(*friction >= 0) || *friction > ElementReader::kLargest) return std::nullopt;
  return DraftFriction{link, *friction};
}

class DraftParser {
 public:
  explicit DraftParser(Findings& findings) : findings_(findings), read_(findings) {}

  Draft parse(const XMLElement& robot) {
    Draft draft;
    draft.name = read_.own_name(robot);
    for (auto* child = robot.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "link") draft.links.push_back(link(*child));
      if (kind == "joint") draft.joints.push_back(joint(*child));
      if (kind == "loop") draft.loops.push_back(loop(*child));
      if (kind == "coupling") draft.couplings.push_back(coupling(*child));
      if (kind == "contact_pair") draft.contact_pairs.push_back(parse_link_pair(*child, read_));
      if (kind == "disable_collisions")
        draft.disabled_pairs.push_back(parse_link_pair(*child, read_));
      if (kind == "drivetrain") draft.drivetrains.push_back(parse_drivetrain(*child, read_));
      if (kind == "sensors") draft.sensors = parse_sensors(*child, read_, findings_);
      if (const auto friction = kind == "gazebo" ? parse_gazebo(*child) : std::nullopt)
        draft.frictions.push_back(*friction);
    }
    return draft;
  }

 private:
  DraftLink link(const XMLElement& element) {
    DraftLink link;
    link.name = read_.own_name(element);
    link.line = element.GetLineNum();
    if (const auto* inertial = element.FirstChildElement("inertial"))
      link.inertial = read_.inertial(*inertial);
    link.collisions = parse_collisions(element, read_, findings_);
    return link;
  }

  DraftJoint joint(const XMLElement& element) {
    DraftJoint joint;
    joint.name = read_.own_name(element);
    joint.line = element.GetLineNum();
    if (const auto* row = read_.type(element, kJointTypeNames)) joint.type = row->type;
    joint.independent = independent(element);
    joint.parent = reference(element, "parent");
    joint.child = reference(element, "child");
    joint.origin = read_.origin(element);
    // what holds has no use for one, and files leave it empty
    const auto* axis = element.FirstChildElement("axis");
    if (joint.type != UrdfJoint::kFixed || (axis && axis->Attribute("xyz"))) {
      joint.axis = read_.axis(element);
    }
    if (const auto* limit = element.FirstChildElement("limit")) {
      const auto bound = [&](const char* name) {
        return read_.number(*limit, name, ElementReader::kAnyFinite);
      };
      joint.limits = {bound("lower"), bound("upper"), bound("velocity"), bound("effort")};
      joint.limits_line = limit->GetLineNum();
    }
    if (const auto* dynamics = element.FirstChildElement("dynamics")) {
      joint.damping = read_.number(*dynamics, "damping").value_or(0);
      joint.friction = read_.number(*dynamics, "friction").value_or(0);
      joint.armature = read_.number(*dynamics, "armature").value_or(0);
      joint.stiffness = read_.number(*dynamics, "spring_stiffness").value_or(0);
      joint.rest = read_.number(*dynamics, "spring_reference").value_or(0);
      joint.dynamics_line = dynamics->GetLineNum();
    }
    if (const auto* mimic = element.FirstChildElement("mimic")) {
      const char* leader = mimic->Attribute("joint");
      if (!leader) read_.missing(*mimic, "joint");
      joint.mimic = {leader ? leader : "", read_.number(*mimic, "multiplier").value_or(1),
                     read_.number(*mimic, "offset").value_or(0)};
      joint.mimic_line = mimic->GetLineNum();
    }
    return joint;
  }

  bool independent(const XMLElement& element) {
    const XMLAttribute* attribute = element.FindAttribute("independent");
    if (!attribute) return true;
    const std::string_view value = attribute->Value();
    const bool yes = value == "true" || value == "True";
    if (!yes && value != "false" && value != "False") {
      findings_.warning(attribute->GetLineNum(), "independent",
                        read_.owner() + ": independent is " + quote(value),
                        "write true or false; it is read as false");
    }
    return yes;
  }

  DraftLoop loop(const XMLElement& element) {
    DraftLoop loop;
    loop.name = read_.own_name(element);
    loop.line = element.GetLineNum();
    if (const auto* row = read_.type(element, kLoopTypeNames)) loop.type = row->type;
    loop.soft = softness(element);
    loop.predecessor = loop_end(element, "predecessor");
    loop.successor = loop_end(element, "successor");
    loop.axis = read_.axis(element);
    if (const auto* length = element.FirstChildElement("length")) {
      loop.length = read_.required_number(*length, "value");
      loop.length_line = length->GetLineNum();
    }
    return loop;
  }

  DraftSoftness softness(const XMLElement& element) {
    return {read_.number(element, "stiffness"), read_.number(element, "damping")};
  }

  DraftLoopEnd loop_end(const XMLElement& loop, const char* kind) {
    const XMLElement* element = read_.required(loop, kind);
    return element ? DraftLoopEnd{read_.link(*element), read_.origin(*element)} : DraftLoopEnd{};
  }

  DraftCoupling coupling(const XMLElement& element) {
    DraftCoupling coupling;
    coupling.name = read_.own_name(element);
    coupling.line = coupling.ratio_line = element.GetLineNum();
    coupling.soft = softness(element);
    coupling.predecessor = reference(element, "predecessor");
    coupling.successor = reference(element, "successor");
    if (const auto* ratio = element.FirstChildElement("ratio")) {
      coupling.ratio = read_.required_number(*ratio, "value").value_or(1);
      coupling.ratio_line = ratio->GetLineNum();
    }
    return coupling;
  }

  Reference reference(const XMLElement& owner, const char* kind) {
    const XMLElement* element = read_.required(owner, kind);
    return element ? read_.link(*element) : Reference{};
  }

  Findings& findings_;
  ElementReader read_;
};

}  // namespace

std::optional<Draft> parse_draft(const std::string& text, Findings& findings) {
  constexpr RootRule kRobot = {"robot", "not-urdf",
                               "give a URDF file; convert SDF, MJCF or xacro first"};
  tinyxml2::XMLDocument document;
  const XMLElement* robot = parse_root(text, document, kRobot, findings);
  if (!robot) return std::nullopt;
  check_vocabulary(*robot, findings);
  return DraftParser(findings).parse(*robot);
}

}  // namespace lockstep::host
