// Axes, origins, limits and dynamics of single joints and loops.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lockstep/trig.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kShortestAxis = 1e-6;  // shorter ones are rounding of zero
constexpr double kAxisSlack = 1e-3;     // 0.7071 0 0.7071 is as good as unit length
constexpr double kFarOrigin = 100;      // m

void check_axis(const std::string& owner, const DraftAxis& axis, Findings& findings) {
  if (!axis.xyz) return;
  const auto& [x, y, z] = *axis.xyz;
  const double length = std::hypot(x, y, z);
  if (length < kShortestAxis) {
    findings.error(axis.line, "zero-axis", owner + ": axis has zero length",
                   "give a non-zero <axis xyz=...>");
  } else if (std::fabs(length - 1) > kAxisSlack) {
    findings.note(axis.line, "non-unit-axis", owner + ": axis does not have length one",
                  "it is normalized");
  }
}

void check_range(const DraftJoint& joint, Findings& findings) {
  const auto& [lower_given, upper_given, velocity, effort] = *joint.limits;
  const int line = joint.limits_line;
  if (!lower_given && !upper_given) {
    findings.warning(line, "missing-limit", joint.label() + ": <limit> has neither lower nor upper",
                     "give both, or make the joint continuous; it is read as unbounded");
    return;
  }
  const double lower = lower_given.value_or(0);  // as URDF defines it
  const double upper = upper_given.value_or(0);
  if (lower > upper) {
    const bool by_default = !lower_given || !upper_given;
    findings.error(line, "limit-order",
                   joint.label() + ": lower is greater than upper" +
                       (by_default ? " (the one not given is 0)" : ""),
                   by_default ? "give both" : "exchange them");
  } else if (lower == upper) {
    findings.note(line, "limit-order", joint.label() + ": lower equals upper",
                  "make the joint fixed if it never moves");
  } else if (lower > 0 || upper < 0) {
    findings.note(line, "zero-pose", joint.label() + ": its range excludes zero",
                  "sim and hil start it at its nearer end; --start zero at zero");
  }
  // Whole numbers up to two turns of 360; larger ones mean "no limit".
  const auto degrees = [](double limit) {
    return std::fabs(limit) > 2 * kTurn && std::fabs(limit) <= 720 && limit == std::round(limit);
  };
  if (*joint.type == UrdfJoint::kRevolute && (degrees(lower) || degrees(upper))) {
    findings.warning(line, "degrees", joint.label() + ": limits of more than two turns",
                     "are they in radians, not in degrees?");
  }
}

void check_limits(const DraftJoint& joint, Findings& findings) {
  if (!joint.limits) {
    if (has_limits(*joint.type)) {
      findings.warning(joint.line, "missing-limit", joint.label() + ": no <limit>",
                       "URDF wants one here; it is read as unbounded");
    }
    return;
  }
  if (has_limits(*joint.type)) check_range(joint, findings);
  const std::pair<const char*, std::optional<double>> bounds[] = {
      {"velocity", joint.limits->velocity}, {"effort", joint.limits->effort}};
  for (const auto& [name, bound] : bounds) {
    if (!bound || *bound > 0 || *joint.type == UrdfJoint::kFixed) continue;
    if (*bound < 0) {
      findings.warning(joint.limits_line, "negative-limit",
                       joint.label() + ": the limit on " + name + " is negative",
                       "give a magnitude");
    } else {
      findings.note(joint.limits_line, "zero-limit",
                    joint.label() + ": the limit on " + name + " is zero",
                    "leave it out if unknown");
    }
  }
}

void check_dynamics(const DraftJoint& joint, Findings& findings) {
  const std::pair<const char*, double> terms[] = {{"damping", joint.damping},
                                                  {"friction", joint.friction},
                                                  {"armature", joint.armature},
                                                  {"spring_stiffness", joint.stiffness}};
  const bool single = has_axis(*joint.type) && *joint.type != UrdfJoint::kPlanar;
  for (const auto& [name, value] : {terms[2], terms[3]}) {
    if (value == 0 || single || *joint.type == UrdfJoint::kFixed) continue;
    findings.error(joint.dynamics_line, "several-coordinates",
                   joint.label() + ": " + name + " at a joint of several coordinates",
                   "leave it out, or make the joint of revolute and prismatic ones");
  }
  for (const auto& [name, value] : terms) {
    if (value >= 0) continue;
    findings.error(joint.dynamics_line, "negative-dynamics",
                   joint.label() + ": " + name + " is negative",
                   "it would create energy; give zero or more");
  }
}

void check_pose(const std::string& owner, const DraftPose& pose, Findings& findings) {
  const auto& [roll, pitch, yaw] = pose.rpy;
  const double largest = std::max({std::fabs(roll), std::fabs(pitch), std::fabs(yaw)});
  if (largest > kMaxAngle<double>) {
    findings.error(pose.line, "degrees", owner + ": an angle in rpy is too large",
                   "give radians within one turn");
  } else if (largest > 1.01 * kTurn) {
    findings.warning(pose.line, "degrees", owner + ": an angle in rpy is more than one turn",
                     "are they in radians, not in degrees?");
  }
}

void check_loop(const DraftLoop& loop, Findings& findings) {
  check_place(loop.label(), loop.predecessor.origin, findings);
  check_place(loop.label(), loop.successor.origin, findings);
  if (!loop.type) return;
  if (has_axis(*loop.type)) {
    check_axis(loop.label(), loop.axis, findings);
  } else if (loop.axis.line != 0) {
    findings.note(loop.axis.line, "unused-axis", loop.label() + ": its type has no axis",
                  "turn the loop's frames with <origin rpy=...>; the axis is ignored");
  }
  const bool is_rod = *loop.type == maximal::ConstraintType::kDistance;
  const bool is_unread = loop.length_line != 0 && !loop.length;  // and told
  if (is_rod && !is_unread && !(loop.length.value_or(0) > 0)) {
    findings.error(loop.length_line != 0 ? loop.length_line : loop.line, "rod-length",
                   loop.label() + ": a distance needs a length",
                   "give <length value=...> in metres, more than zero");
  } else if (!is_rod && loop.length) {
    findings.note(loop.length_line, "unused-length", loop.label() + ": its type has no length",
                  "remove <length>, or make the type distance");
  }
}

}  // namespace

void check_place(const std::string& owner, const DraftPose& pose, Findings& findings) {
  check_pose(owner, pose, findings);
  const Triple& p = pose.xyz;
  if (std::hypot(p[0], p[1], p[2]) > kFarOrigin) {
    findings.warning(pose.line, "far-origin",
                     owner + ": the origin is more than 100 m away from the link's",
                     "is it in metres, not millimetres?");
  }
}

void check_joints(const Draft& draft, Findings& findings) {
  for (const DraftLink& link : draft.links) {
    if (link.inertial) check_pose("link " + quote(link.name), link.inertial->origin, findings);
  }
  for (const DraftJoint& joint : draft.joints) {
    check_place(joint.label(), joint.origin, findings);
    check_dynamics(joint, findings);
    if (!joint.type) continue;
    if (has_axis(*joint.type)) check_axis(joint.label(), joint.axis, findings);
    check_limits(joint, findings);
  }
  for (const DraftLoop& loop : draft.loops) check_loop(loop, findings);
}

}  // namespace lockstep::host
