#include "model/massless.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/require.hpp"
#include "text/number.hpp"
#include "urdf/rotation.hpp"

namespace lockstep::host {

namespace {

using Positions = std::unordered_map<std::string, double>;  // by joint

double within_limits(const JointDescription& joint, double position) {
  if (!joint.limits || joint.type == UrdfJoint::kContinuous) return position;
  position = std::max(position, joint.limits->lower.value_or(position));
  return std::min(position, joint.limits->upper.value_or(position));
}

// A position of zero keeps the bits of the joint's place.
void hold(double position, JointDescription& joint) {
  if (joint.type == UrdfJoint::kPrismatic && position != 0) {
    joint.p_PJ += joint.R_PJ * (position * joint.axis);
  } else if (has_one_coordinate(joint.type) && position != 0) {
    joint.R_PJ = joint.R_PJ * rotation_about(joint.axis, position);
  }
  joint.type = UrdfJoint::kFixed;
  joint.mimic.reset();
  joint.limits.reset();
}

// Followers of what is held are held too, whichever comes first in the file.
void add_followers(const Description& robot, Positions& held) {
  for (std::size_t before = 0; before != held.size();) {
    before = held.size();
    for (const JointDescription& joint : robot.joints) {
      if (!joint.mimic || held.contains(joint.name)) continue;
      const auto leader = held.find(joint.mimic->joint);
      if (leader == held.end()) continue;
      const double position = joint.mimic->multiplier * leader->second + joint.mimic->offset;
      held.emplace(joint.name, within_limits(joint, position));
    }
  }
}

}  // namespace

Description hold_joints(const Description& robot, const Tree& tree, const std::vector<int>& bodies,
                        Findings& findings) {
  Positions held;
  for (const int body : bodies) held.emplace(tree.joint_names[at(body)], 0);
  for (const JointDescription& joint : robot.joints) {
    if (const auto own = held.find(joint.name); own != held.end()) {
      own->second = within_limits(joint, 0);
    }
  }
  add_followers(robot, held);
  Description result = robot;
  std::vector<std::string> names;
  for (JointDescription& joint : result.joints) {
    const auto own = held.find(joint.name);
    if (own == held.end()) continue;
    hold(own->second, joint);
    names.push_back(quote(joint.name));
  }
  if (names.empty()) refuse_immovable(tree, robot.file, bodies);
  findings.warning(0, "massless",
                   counted(names.size(), "joint has", "joints have") +
                       " no inertia to move and will be held: " + listed(first_of(names)),
                   "give their links mass and inertia");
  return result;
}

void add_inertia(double floor, const std::vector<int>& bodies, Tree& tree) {
  for (const int index : bodies) {
    Body& body = tree.bodies[at(index)];
    for (const std::size_t i : {0u, 3u, 5u}) body.inertia[i] += floor;
    if (body.joint != JointType::kRevolute && body.joint != JointType::kBall) body.mass += floor;
  }
}

void tell_added(double floor, const std::vector<int>& bodies, const Tree& tree,
                Findings& findings) {
  std::vector<std::string> names;
  for (const int body : bodies) names.push_back(quote(tree.link_names[at(body)]));
  findings.warning(0, "massless",
                   counted(names.size(), "link", "links") + " with nothing to move got " +
                       brief(floor) + " kg m^2: " + listed(first_of(names)),
                   "give them mass and inertia");
}

}  // namespace lockstep::host
