#include "model/reduce.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lockstep/spatial.hpp"
#include "model/axis_frame.hpp"
#include "model/collider_pairs.hpp"
#include "model/colliders.hpp"
#include "model/inertias.hpp"
#include "model/loops.hpp"
#include "model/massless.hpp"
#include "model/require.hpp"
#include "model/topology.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Pose = Placement<double>;

// Adds a link's mass, about the body's origin and in its axes.
void add_mass(const LinkDescription& link, const Pose& X_BL, Body& body) {
  const Eigen::Matrix3d& about_com = link.inertia;
  const Sym3<double> I =
      rotate(X_BL.R, Sym3<double>{about_com(0, 0), about_com(0, 1), about_com(0, 2),
                                  about_com(1, 1), about_com(1, 2), about_com(2, 2)});
  const Vec c = X_BL.p + X_BL.R * to_vec(link.com);
  const Vec h = link.mass * c;
  const std::array<double, 6> inertia = {
      I.xx + (h.y * c.y + h.z * c.z), I.xy - h.x * c.y, I.xz - h.x * c.z,
      I.yy + (h.z * c.z + h.x * c.x), I.yz - h.y * c.z, I.zz + (h.x * c.x + h.y * c.y)};
  const std::array<double, 3> moment = to_array(h);
  body.mass += link.mass;
  for (std::size_t i = 0; i < moment.size(); ++i) body.h[i] += moment[i];
  for (std::size_t i = 0; i < inertia.size(); ++i) body.inertia[i] += inertia[i] + 0.0;
}

JointType solver_joint(UrdfJoint joint) {
  switch (joint) {
    case UrdfJoint::kPrismatic: return JointType::kPrismatic;
    case UrdfJoint::kPlanar: return JointType::kPlanar;
    case UrdfJoint::kFloating: return JointType::kFloating;
    case UrdfJoint::kBall: return JointType::kBall;
    case UrdfJoint::kRevolute:
    case UrdfJoint::kContinuous:
    case UrdfJoint::kFixed: break;
  }
  return JointType::kRevolute;
}

Mat body_axes(const JointDescription& joint) {
  const bool has_axis = joint.type != UrdfJoint::kBall && joint.type != UrdfJoint::kFloating;
  return has_axis ? axis_frame(to_vec(joint.axis)) : kNoTurn;
}

Limits limits_of(const JointDescription& joint) {
  Limits limits;
  if (!joint.limits) return limits;
  // a continuous joint turns for ever, whatever its file says
  if (joint.type != UrdfJoint::kContinuous) {
    limits.lower = joint.limits->lower.value_or(limits.lower) + 0.0;
    limits.upper = joint.limits->upper.value_or(limits.upper) + 0.0;
  }
  limits.velocity = joint.limits->velocity.value_or(limits.velocity) + 0.0;
  limits.effort = joint.limits->effort.value_or(limits.effort) + 0.0;
  return limits;
}

// The tree as far as it has grown. Links are indices into the description.
class Growth {
 public:
  explicit Growth(const Description& robot)
      : robot_(robot), X_BL_(robot.links.size(), Pose{kNoTurn, {}}) {
    tree_.name = robot.name;
    tree_.frames.resize(robot.links.size());
    for (const LinkDescription& link : robot.links) tree_.frame_names.push_back(link.name);
  }

  int body_of(int link) const { return tree_.frames[at(link)].body; }
  const Pose& X_BL(int link) const { return X_BL_[at(link)]; }  // in its body, or in the world

  void fix(int link, int body, const Pose& pose) {
    X_BL_[at(link)] = pose;
    tree_.frames[at(link)] = {.body = body, .R_BF = to_rows(pose.R), .p_BF = to_array(pose.p)};
    if (body != kWorld) add_mass(robot_.links[at(link)], pose, tree_.bodies[at(body)]);
  }

  void add_body(int link, const std::string& joint, Body body, const Mat& R_LB) {
    body.R_LB = to_rows(R_LB);
    tree_.bodies.push_back(body);
    tree_.link_names.push_back(robot_.links[at(link)].name);
    tree_.joint_names.push_back(joint);
    fix(link, static_cast<int>(tree_.bodies.size()) - 1, {transpose(R_LB), {}});
  }

  Tree take() && { return std::move(tree_); }

 private:
  const Description& robot_;
  Tree tree_;
  std::vector<Pose> X_BL_;
};

// Joints above the bases of robots that float by their own files, by root link.
std::unordered_map<int, int> floating_bases(const Description& robot,
                                            const std::vector<Visit>& visits) {
  std::unordered_map<int, int> bases;
  std::vector<int> hanging(robot.links.size());
  for (const Visit& visit : visits) {
    if (visit.joint != Visit::kRoot) ++hanging[at(visit.parent)];
  }
  int root = 0;  // of what is visited: each comes before what it carries
  for (const Visit& visit : visits) {
    if (visit.joint == Visit::kRoot)
      root = visit.link;
    else if (visit.parent == root && hanging[at(root)] == 1 && robot.links[at(root)].mass == 0 &&
             robot.joints[at(visit.joint)].type == UrdfJoint::kFloating) {
      bases.emplace(root, visit.joint);
    }
  }
  return bases;
}

Tree grow(const Description& robot, const ReduceOptions& options) {
  using Base = ReduceOptions::Base;
  const std::vector<Visit> visits = depth_first(robot);
  const bool forest = std::ranges::count(visits, Visit::kRoot, &Visit::joint) > 1;
  const std::unordered_map<int, int> bases = floating_bases(robot, visits);
  const auto is_base = [&](const Visit& visit) {
    const auto own = bases.find(visit.parent);
    return own != bases.end() && own->second == visit.joint;
  };
  Growth growth(robot);
  for (const Visit& visit : visits) {
    if (visit.joint == Visit::kRoot) {
      // the link is the world
      if (options.base != Base::kFloating || bases.contains(visit.link)) continue;
      const std::string& name = robot.links[at(visit.link)].name;
      growth.add_body(visit.link, forest ? name + "_root_joint" : "root_joint",
                      {.joint = JointType::kFloating}, kNoTurn);
      continue;
    }
    const JointDescription& joint = robot.joints[at(visit.joint)];
    const int holder = growth.body_of(visit.parent);
    const Pose X_PL = growth.X_BL(visit.parent) * Pose{to_mat(joint.R_PJ), to_vec(joint.p_PJ)};
    const bool base = options.base == Base::kFixed && is_base(visit);
    if (joint.type == UrdfJoint::kFixed || base) {
      growth.fix(visit.link, holder, X_PL);
      continue;
    }
    const Mat R_LB = body_axes(joint);
    growth.add_body(visit.link, joint.name,
                    {.parent = holder,
                     .joint = solver_joint(joint.type),
                     .R_PJ = to_rows(X_PL.R * R_LB),
                     .p_PJ = to_array(X_PL.p),
                     .damping = options.ignore_damping ? 0.0 : joint.damping + 0.0,
                     .friction = joint.friction + 0.0,
                     .stiffness = joint.stiffness + 0.0,
                     .rest = joint.rest + 0.0,
                     .armature = joint.armature + 0.0,
                     .limits = limits_of(joint)},
                    R_LB);
  }
  return std::move(growth).take();
}

void refuse_equal_names(const Description& robot, const Tree& tree) {
  std::unordered_set<std::string> names;
  for (const std::string& name : tree.joint_names) {
    if (!names.insert(name).second) {
      throw Error(robot.file + ": joint " + quote(name) + ": the name is taken, perhaps by the " +
                  "floating base; rename the joint");
    }
  }
}

void note_dependent(const Description& robot, Tree& tree) {
  std::unordered_set<std::string> dependent;
  for (const JointDescription& joint : robot.joints) {
    if (!joint.independent) dependent.insert(joint.name);
  }
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (dependent.contains(tree.joint_names[i])) tree.dependent.push_back(static_cast<int>(i));
  }
}

// Until every joint has something to move: what was added below may not do for those above.
void raise_floor(const Description& robot, double floor, Tree& tree, Findings& findings) {
  constexpr int kRounds = 8;
  std::vector<int> raised;
  std::vector<int> bodies = find_immovable(tree);
  for (int round = 0; round < kRounds && floor > 0 && !bodies.empty(); ++round) {
    add_inertia(floor, bodies, tree);
    raised.insert(raised.end(), bodies.begin(), bodies.end());
    bodies = find_immovable(tree);
  }
  if (!bodies.empty()) refuse_immovable(tree, robot.file, bodies);
  if (!raised.empty()) tell_added(floor, raised, tree, findings);
}

}  // namespace

Tree reduce(const Description& robot, const ReduceOptions& options, Findings& findings) {
  Tree tree = grow(robot, options);
  refuse_equal_names(robot, tree);
  note_dependent(robot, tree);
  add_loops(robot, tree);
  add_couplings(robot, tree);
  if (!options.ignore_mimic) add_mimics(robot, tree);
  add_colliders(robot, tree);
  require_finite(tree, robot.file);
  tree.collider_pairs = choose_pairs(robot, tree, options.most_pairs).pairs;
  settle_inertias(robot.file, options.accept_unphysical, tree, findings);
  if (options.freeze_massless) {
    const std::vector<int> bodies = find_immovable(tree);
    if (!bodies.empty()) {
      return reduce(hold_joints(robot, tree, bodies, findings), options, findings);
    }
  }
  raise_floor(robot, options.inertia_floor, tree, findings);
  return tree;
}

Tree reduce(const Description& robot, const ReduceOptions& options) {
  Findings findings;
  return reduce(robot, options, findings);
}

}  // namespace lockstep::host
