#include <algorithm>
#include <array>

#include "mechanism/draft.hpp"
#include "text/number.hpp"
#include "text/suggest.hpp"
#include "urdf/element_reader.hpp"
#include "urdf/vocabulary.hpp"

namespace lockstep::host {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

constexpr ElementWords kElements[] = {
    {"mechanism", "name", "gravity ground", "body constraint coupling", ""},
    {"gravity", "xyz", "", "", ""},
    {"ground", "normal offset friction restitution", "", "", ""},
    {"body", "name type", "mass inertia origin scale velocity force moment", "collision", ""},
    {"collision", "friction restitution", "origin geometry", "", ""},
    {"geometry", "", "sphere box capsule cylinder point", "", ""},
    {"sphere", "radius", "", "", ""},
    {"box", "size", "", "", ""},
    {"capsule", "radius length", "", "", ""},
    {"cylinder", "radius length", "", "", ""},
    {"point", "", "", "", ""},
    {"mass", "value", "", "", ""},
    {"inertia", "ixx ixy ixz iyy iyz izz", "", "", ""},
    {"origin", "xyz rpy quat_xyzw", "", "", ""},
    {"scale", "value xyz", "", "", ""},
    {"velocity", "linear angular scale", "", "", ""},
    {"force", "xyz", "", "", ""},
    {"moment", "xyz", "", "", ""},
    {"constraint", "name type length radius semi_axes ratio rate stiffness damping standing",
     "a b at axis motion limit dynamics", "", ""},
    {"coupling", "name offset stiffness damping", "", "term", ""},
    {"term", "constraint factor", "", "", ""},
    {"a", "body semi_axes", "origin", "", ""},
    {"b", "body semi_axes", "origin", "", ""},
    {"at", "xyz rpy quat_xyzw", "", "", ""},
    {"axis", "xyz", "", "", ""},
    {"limit", "lower upper restitution", "", "", ""},
    {"dynamics", "damping friction spring_stiffness spring_reference armature", "", "", ""},
    {"motion", "start rate acceleration amplitude frequency phase", "", "", ""},
};

class Parser : ElementReader {
 public:
  explicit Parser(Findings& findings) : ElementReader(findings) {}

  DraftMechanism parse(const XMLElement& root) {
    DraftMechanism draft;
    owner_ = "mechanism";
    draft.name = own_name(root);
    for (auto* child = root.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "body") draft.bodies.push_back(body(*child));
      if (kind == "constraint") draft.constraints.push_back(constraint(*child));
      if (kind == "coupling") draft.couplings.push_back(coupling(*child));
    }
    owner_ = "mechanism " + quote(draft.name);
    if (const auto* found = root.FirstChildElement("ground")) draft.ground = ground(*found);
    draft.gravity = vector_in(root, "gravity").value_or(draft.gravity);
    return draft;
  }

 private:
  DraftMaterial material(const XMLElement& element) {
    return {number(element, "friction").value_or(0), number(element, "restitution").value_or(0)};
  }

  DraftGround ground(const XMLElement& element) {
    DraftGround ground;
    ground.line = element.GetLineNum();
    ground.normal = triple(element, "normal").value_or(ground.normal);
    ground.offset = number(element, "offset").value_or(0);
    ground.material = material(element);
    return ground;
  }

  DraftBodyShape collision(const XMLElement& element) {
    DraftBodyShape collision;
    collision.line = element.GetLineNum();
    collision.origin = origin(element);
    collision.material = material(element);
    const XMLElement* geometry = required(element, "geometry");
    const XMLElement* shape = geometry ? geometry->FirstChildElement() : nullptr;
    if (!shape) return collision;
    if (shape->NextSiblingElement()) {
      findings_.error(shape->NextSiblingElement()->GetLineNum(), "two-shapes",
                      owner_ + ": <geometry> has more than one shape",
                      "give each a <collision> of its own");
    }
    const std::string_view kind = shape->Name();
    if (kind != "box" && kind != "point") {
      collision.radius = required_number(*shape, "radius").value_or(0);
    }
    if (kind == "sphere" || kind == "point") {
      collision.type = contact::ShapeType::kSphere;
      collision.is_point = kind == "point";
    } else if (kind == "capsule" || kind == "cylinder") {
      collision.type =
          kind == "capsule" ? contact::ShapeType::kCapsule : contact::ShapeType::kCylinder;
      collision.half = {0, 0, 0.5 * required_number(*shape, "length").value_or(0)};
    } else if (kind == "box") {
      collision.type = contact::ShapeType::kBox;
      const Triple size = required_triple(*shape, "size").value_or(Triple{});
      collision.half = {size[0] / 2, size[1] / 2, size[2] / 2};
    }
    return collision;
  }

  DraftBody body(const XMLElement& element) {
    DraftBody body;
    owner_ = "body";
    body.name = own_name(element);
    body.line = element.GetLineNum();
    if (const BodyWords* words = type(element, std::span(kBodyWords))) body.type = words->type;
    body.inertial = inertial(element, body.type);
    if (const auto* scale = element.FirstChildElement("scale")) {
      const bool both = scale->Attribute("value") && scale->Attribute("xyz");
      if (both || (!scale->Attribute("value") && !scale->Attribute("xyz"))) {
        findings_.error(scale->GetLineNum(), "scale", owner_ + ": <scale> needs one of value, xyz",
                        "write <scale value=\"1\"/>, or xyz=\"1 1 1\" for a stretching body");
      }
      body.scale = one_or_three(*scale, scale->Attribute("xyz") ? "xyz" : "value", body.type)
                       .value_or(body.scale);
      body.scale_line = scale->GetLineNum();
    }
    if (const auto* velocity = element.FirstChildElement("velocity")) {
      body.linear = triple(*velocity, "linear").value_or(Triple{});
      body.angular = triple(*velocity, "angular").value_or(Triple{});
      body.scale_rate = one_or_three(*velocity, "scale", body.type).value_or(Triple{});
      body.velocity_line = velocity->GetLineNum();
    }
    for (auto* shape = element.FirstChildElement("collision"); shape;
         shape = shape->NextSiblingElement("collision")) {
      body.collisions.push_back(collision(*shape));
    }
    body.force = vector_in(element, "force").value_or(Triple{});
    body.moment = vector_in(element, "moment").value_or(Triple{});
    return body;
  }

  DraftInertial inertial(const XMLElement& element, std::optional<maximal::BodyType> type) {
    if (type == maximal::BodyType::kPlanar) return ElementReader::inertial(element, "izz");
    if (type != maximal::BodyType::kParticle) {
      return ElementReader::inertial(element, "ixx iyy izz");
    }
    DraftInertial result = ElementReader::inertial(element, "");
    if (const auto* inertia = element.FirstChildElement("inertia")) {
      findings_.warning(inertia->GetLineNum(), "unused", owner_ + ": a particle has no inertia",
                        "remove <inertia>, or make it a rigid body");
    }
    return result;
  }

  DraftConstraint constraint(const XMLElement& element) {
    DraftConstraint constraint;
    owner_ = "constraint";
    constraint.name = own_name(element);
    constraint.line = element.GetLineNum();
    constraint.type = type(element, std::span(kConstraintWords));
    for (const char* name : {"length", "radius", "ratio", "rate"}) {
      if (const auto value = number(element, name)) constraint.parameters[name] = {*value};
    }
    semi_axes(element, "semi_axes", constraint);
    constraint.a = hold(element, "a", constraint);
    constraint.b = hold(element, "b", constraint);
    if (const auto* at = element.FirstChildElement("at")) constraint.at = pose(*at);
    constraint.axis = axis(element);
    if (const auto* m = element.FirstChildElement("motion")) {
      const auto value = [&](const char* name) { return number(*m, name).value_or(0); };
      constraint.motion = maximal::Swing<double>{
          .ramp = {value("start"), value("rate"), value("acceleration")},
          .sine = {0, value("amplitude"), value("frequency"), value("phase")}};
    }
    constraint.bound = bound(element);
    constraint.passive = passive(element);
    constraint.soft = softness(element);
    constraint.standing = standing(element);
    return constraint;
  }

  constraint::Standing standing(const XMLElement& element) {
    const char* const given = element.Attribute("standing");
    const std::string_view word = given ? given : "";
    if (word == "root") return constraint::Standing::kRoot;
    if (word == "auxiliary") return constraint::Standing::kAuxiliary;
    if (given) {
      findings_.error(element.GetLineNum(), "bad-standing",
                      owner_ + ": standing " + quote(given) + " is not known",
                      "give root or auxiliary, or leave it out");
    }
    return constraint::Standing::kOrdered;
  }

  DraftSum coupling(const XMLElement& element) {
    DraftSum coupling;
    owner_ = "coupling";
    coupling.name = own_name(element);
    coupling.line = element.GetLineNum();
    coupling.offset = number(element, "offset");
    coupling.soft = softness(element);
    for (auto* child = element.FirstChildElement("term"); child;
         child = child->NextSiblingElement("term")) {
      const XMLAttribute* constraint = child->FindAttribute("constraint");
      if (!constraint) missing(*child, "constraint");
      coupling.terms.push_back(
          {{constraint ? constraint->Value() : "", child->GetLineNum()},
           child->Attribute("factor") ? number(*child, "factor").value_or(1) : 1});
    }
    return coupling;
  }

  DraftSoftness softness(const XMLElement& element) {
    return {number(element, "stiffness"), number(element, "damping")};
  }

  // Limits and dry friction.
  std::optional<DraftBound> bound(const XMLElement& element) {
    const XMLElement* limit = element.FirstChildElement("limit");
    const XMLElement* dynamics = element.FirstChildElement("dynamics");
    if (dynamics && !dynamics->Attribute("friction") && is_passive(*dynamics)) dynamics = nullptr;
    if (!limit && !dynamics) return std::nullopt;
    DraftBound bound;
    bound.line = (limit ? limit : dynamics)->GetLineNum();
    if (limit) {
      bound.lower = number(*limit, "lower");
      bound.upper = number(*limit, "upper");
      bound.restitution = number(*limit, "restitution").value_or(0);
    }
    if (dynamics) bound.friction = required_number(*dynamics, "friction").value_or(0);
    return bound;
  }

  static bool is_passive(const XMLElement& dynamics) {
    return std::ranges::any_of(
        std::array{"damping", "spring_stiffness", "spring_reference", "armature"},
        [&](const char* name) { return dynamics.Attribute(name) != nullptr; });
  }
  std::optional<DraftPassive> passive(const XMLElement& element) {
    const XMLElement* dynamics = element.FirstChildElement("dynamics");
    if (!dynamics || !is_passive(*dynamics)) return std::nullopt;
    const auto value = [&](const char* name) { return number(*dynamics, name).value_or(0); };
    return DraftPassive{value("damping"), value("spring_stiffness"), value("spring_reference"),
                        value("armature"), dynamics->GetLineNum()};
  }

  DraftHold hold(const XMLElement& element, const char* side, DraftConstraint& constraint) {
    DraftHold hold;
    const XMLElement* found = required(element, side);
    if (!found) return hold;
    if (const XMLAttribute* body = found->FindAttribute("body")) {
      const std::string name = body->Value();
      if (name != "world") hold.body = {name, body->GetLineNum()};
    }
    if (found->FirstChildElement("origin")) hold.origin = origin(*found);
    semi_axes(*found, std::string(side) + ".semi_axes", constraint);
    return hold;
  }

  void semi_axes(const XMLElement& element, const std::string& name, DraftConstraint& constraint) {
    if (const auto value = triple(element, "semi_axes")) constraint.parameters[name] = *value;
  }

  // The row of the table that the element's type names.
  template <class Words, std::size_t kSize>
  const Words* type(const XMLElement& element, std::span<const Words, kSize> words) {
    std::vector<std::string_view> known;
    for (const Words& row : words) known.push_back(row.name);
    const XMLAttribute* attribute = element.FindAttribute("type");
    const std::string kind = std::string(element.Name()) + "-type";
    if (!attribute) {
      findings_.error(element.GetLineNum(), kind.c_str(), owner_ + ": no type",
                      "give type=\"" + std::string(known.front()) + "\" or another type");
      return nullptr;
    }
    const auto row = std::ranges::find(words, std::string_view(attribute->Value()), &Words::name);
    if (row != words.end()) return &*row;
    const std::string_view near = nearest_word(attribute->Value(), known);
    std::string list;
    for (const std::string_view name : known)
      list += (list.empty() ? "" : ", ") + std::string(name);
    findings_.error(attribute->GetLineNum(), kind.c_str(),
                    owner_ + ": unknown type " + quote(attribute->Value()),
                    near.empty() ? "use one of " + list : "did you mean " + quote(near) + "?");
    return nullptr;
  }

  std::optional<Triple> vector_in(const XMLElement& element, const char* child) {
    const XMLElement* found = element.FirstChildElement(child);
    return found ? required_triple(*found, "xyz") : std::nullopt;
  }

  // A stretching body has three scales, where one stands for all; others have one.
  std::optional<Triple> one_or_three(const XMLElement& element, const char* name,
                                     std::optional<maximal::BodyType> type) {
    const char* text = element.Attribute(name);
    if (!text) return std::nullopt;
    if (type == maximal::BodyType::kStretching && words_of(text).size() != 1) {
      return triple(element, name);
    }
    const std::optional<double> value = number(element, name);
    if (!value) return std::nullopt;
    return Triple{*value, *value, *value};
  }
};

}  // namespace

DraftMechanism parse_mechanism(const std::string& text, Findings& findings) {
  constexpr RootRule kRoot = {"mechanism", "not-mechanism", "give a mechanism's file"};
  tinyxml2::XMLDocument document;
  const XMLElement* root = parse_root(text, document, kRoot, findings);
  if (!root) return {};
  check_words(*root, {"a mechanism's", kElements}, findings);
  return Parser(findings).parse(*root);
}

}  // namespace lockstep::host
