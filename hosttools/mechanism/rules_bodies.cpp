// Bodies have mass and moments that some distribution of mass has, and move as their type can.
#include <algorithm>

#include "mechanism/rules.hpp"
#include "urdf/names.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

using maximal::BodyType;

bool is_zero(const Triple& t) { return t == Triple{}; }

void check_mass(const DraftBody& body, Findings& findings) {
  const DraftInertial& inertial = body.inertial;
  if (inertial.mass == 0.0) {
    findings.error(inertial.mass_line, "massless", body.label() + ": the mass is zero",
                   "give a positive mass in kg; a body without mass has no acceleration");
  }
  if (body.type != BodyType::kPlanar) {
    check_inertial(body.label(), inertial, Severity::kError, findings);
    return;
  }
  DraftInertial in_plane = inertial;
  in_plane.inertia.reset();
  check_inertial(body.label(), in_plane, Severity::kError, findings);
  if (inertial.inertia && !((*inertial.inertia)[5] > 0)) {
    findings.error(inertial.inertia_line, "negative-inertia",
                   body.label() + ": izz is not positive", "give the moment about z in kg m^2");
  }
}

// A particle does not turn; a planar body stays in z = 0 and turns about z.
void check_reach(const DraftBody& body, Findings& findings) {
  const DraftPose& pose = body.inertial.origin;
  const auto refuse = [&](int line, const char* what) {
    findings.error(line, "out-of-reach", body.label() + ": " + what,
                   "remove it, or choose another type of body");
  };
  const auto turns = [](const Triple& t) { return t[0] != 0 || t[1] != 0; };
  if (body.type == BodyType::kParticle) {
    if (!is_zero(pose.rpy)) refuse(pose.line, "a particle has no rpy");
    if (!is_zero(body.angular)) refuse(body.velocity_line, "a particle has no angular velocity");
    if (!is_zero(body.moment)) refuse(body.line, "a particle takes no moment");
  } else if (body.type == BodyType::kPlanar) {
    if (pose.xyz[2] != 0 || turns(pose.rpy)) {
      refuse(pose.line, "a planar body is in the plane z = 0 and turned about z only");
    }
    if (body.linear[2] != 0 || turns(body.angular)) {
      refuse(body.velocity_line, "a planar body moves along x and y and turns about z only");
    }
    if (turns(body.moment)) refuse(body.line, "a planar body takes moments about z only");
  }
  const bool scales = body.type == BodyType::kScaling || body.type == BodyType::kStretching;
  if (!scales && body.scale_line > 0) refuse(body.scale_line, "only a scaling body has a <scale>");
  if (!scales && !is_zero(body.scale_rate)) {
    refuse(body.velocity_line, "only a scaling body changes its scale");
  }
  if (scales && std::ranges::count(body.scale, 0.0) > 0) {
    findings.error(body.scale_line, "zero-scale", body.label() + ": the scale is zero",
                   "give another; a body of no size has no inertia");
  }
}

}  // namespace

void check_bodies(const DraftMechanism& draft, Findings& findings) {
  Names(draft.bodies, "body", findings);
  if (draft.bodies.empty()) {
    findings.error(0, "empty-mechanism", "the mechanism has no body", "add at least one <body>");
  }
  for (const DraftBody& body : draft.bodies) {
    if (body.name == "world") {
      findings.error(body.line, "reserved-name", body.label() + ": the name means the world",
                     "rename it");
    }
    if (!body.type) continue;
    check_mass(body, findings);
    check_reach(body, findings);
  }
}

}  // namespace lockstep::host
