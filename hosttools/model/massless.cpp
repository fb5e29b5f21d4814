#include "model/massless.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/require.hpp"
#include "text/error.hpp"
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
  std::unordered_multimap<std::string_view, const JointDescription*> followers;  // by leader
  for (const JointDescription& joint : robot.joints) {
    if (joint.mimic) followers.emplace(joint.mimic->joint, &joint);
  }
  std::vector<std::string> leaders;
  for (const auto& [name, position] : held) leaders.push_back(name);
  while (!leaders.empty()) {
    const std::string leader = std::move(leaders.back());
    leaders.pop_back();
    const auto [first, last] = followers.equal_range(leader);
    for (auto own = first; own != last; ++own) {
      const JointDescription& joint = *own->second;
      const double position = joint.mimic->multiplier * held.at(leader) + joint.mimic->offset;
      if (!held.emplace(joint.name, within_limits(joint, position)).second) continue;
      leaders.push_back(joint.name);
    }
  }
}

// What loops and couplings do where joints are held. The tree is that of the robot before.
class HeldTree {
 public:
  HeldTree(const Tree& tree, const Positions& held) : tree_(tree), held_(held) {
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const int parent = tree.bodies[i].parent;
      const int above = parent == kWorld ? kWorld : merged_[at(parent)];
      merged_.push_back(held.contains(tree.joint_names[i]) ? above : static_cast<int>(i));
    }
    for (std::size_t i = 0; i < tree.frames.size(); ++i) {
      body_of_.emplace(tree.frame_names[i], tree.frames[i].body);
    }
  }

  // What is within one body now has nothing to hold.
  void leave_out(Description& robot) const {
    std::erase_if(robot.loops, [&](const LoopDescription& loop) {
      return are_one(loop.predecessor.link, loop.successor.link);
    });
    std::erase_if(robot.couplings, [&](const CouplingDescription& coupling) {
      if (are_one(coupling.predecessor, coupling.successor)) return true;
      require_zero(coupling, robot.file);
      return false;
    });
  }

 private:
  int merged(int body) const { return body == kWorld ? kWorld : merged_[at(body)]; }
  bool are_one(const std::string& a, const std::string& b) const {
    return merged(body_of_.at(a)) == merged(body_of_.at(b));
  }

  // A coupling counts from where all joints on its path are at zero.
  void require_zero(const CouplingDescription& coupling, const std::string& file) const {
    int a = body_of_.at(coupling.predecessor), b = body_of_.at(coupling.successor);
    while (a != b) {
      int& lower = a > b ? a : b;
      const std::string& joint = tree_.joint_names[at(lower)];
      const auto held = held_.find(joint);
      if (held != held_.end() && held->second != 0) {
        throw Error(file + ": coupling " + quote(coupling.name) + ": joint " + quote(joint) +
                    " on its path has no inertia to move and would be held away from zero; give "
                    "its link mass and inertia, or use --inertia-floor 1e-6");
      }
      lower = tree_.bodies[at(lower)].parent;
    }
  }

  const Tree& tree_;
  const Positions& held_;
  std::vector<int> merged_;  // of each body, the one that it is part of now
  std::unordered_map<std::string_view, int> body_of_;
};

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
  HeldTree(tree, held).leave_out(result);
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
