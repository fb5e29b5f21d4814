#include "robot/placement.hpp"

#include <cmath>
#include <limits>

#include "lockstep/contact/detect.hpp"
#include "model/tree_colliders.hpp"
#include "model/tree_rows.hpp"
#include "oracle/world.hpp"
#include "robot/assemble.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr double kSettled = 1e-12;  // m
constexpr int kMostRounds = 100;    // a slope's distance is not straight down: each round is nearer

// Of the lowest point above the ground; infinite beside it.
double height_above(const AnyGround<double>& ground, const TreeColliders<double>& shapes,
                    const Tree& tree, const Eigen::VectorXd& q) {
  std::vector<Placement<double>> X_WB;
  for (const WorldBody& body : place_in_world(tree.bodies, q, rest(tree.bodies).v)) {
    const auto column = [&](int i) -> Vec3<double> {
      return {body.R_WB(0, i), body.R_WB(1, i), body.R_WB(2, i)};
    };
    X_WB.push_back(
        {{column(0), column(1), column(2)}, {body.origin.x(), body.origin.y(), body.origin.z()}});
  }
  contact::ContactList<double, 1> lowest;
  const Status status = contact::detect<double>(shapes.colliders(), {}, X_WB, ground,
                                                std::numeric_limits<double>::max(), lowest);
  if (status != Status::kOk) throw Error(std::string("--drop: ") + to_string(status));
  return lowest.size() == 0 ? std::numeric_limits<double>::infinity() : lowest[0].distance;
}

void raise(const Tree& tree, double by, Eigen::VectorXd& q) {
  Eigen::Index at = 0;
  for (const Body& body : tree.bodies) {
    if (body.joint == JointType::kFloating && body.parent == kWorld) {
      // up, in the axes that the joint's position is measured along
      for (int i = 0; i < 3; ++i) q[at + i] += by * body.R_PJ[static_cast<std::size_t>(6 + i)];
    }
    at += config_count(body.joint);
  }
}

bool floats(const Tree& tree) {
  return std::ranges::any_of(tree.bodies, [](const Body& body) {
    return body.joint == JointType::kFloating && body.parent == kWorld;
  });
}

}  // namespace

UsualStart usual_start(const std::string& file, const Tree& tree) {
  constexpr int kMostNamed = 6;
  const auto q = nearest_pose(tree);
  if (!q) {
    throw Error(file +
                ": no pose was found in which loops and couplings hold; see `lockstep doctor`, or "
                "say where it starts");
  }
  std::string joints;
  int moved = 0;
  bool is_outside = false;
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const double own = dof_count(body.joint) == 1 ? (*q)[at.q] : 0;
    at.add(body.joint);
    if (own == 0) continue;
    is_outside |= body.limits.lower > 0 || body.limits.upper < 0;
    if (++moved > kMostNamed) continue;
    joints += (joints.empty() ? "" : ", ") + quote(tree.joint_names[i]) + " at " + brief(own) +
              (body.joint == JointType::kPrismatic ? " m" : " rad");
  }
  if (moved == 0) return {*q, ""};
  if (moved > kMostNamed) joints += " and " + std::to_string(moved - kMostNamed) + " more";
  return {*q,
          file + ": the zero pose " +
              (is_outside ? "is outside the joints' limits" : "leaves loops or couplings open") +
              ", so it starts with " + joints + "; --start zero starts at zero"};
}

bool is_outside(const Tree& tree, const Eigen::VectorXd& q) {
  constexpr double kHair = 1e-6;
  bool outside = false;
  Counts at;
  for (const Body& body : tree.bodies) {
    outside |= dof_count(body.joint) == 1 &&
               (q[at.q] < body.limits.lower - kHair || q[at.q] > body.limits.upper + kHair);
    at.add(body.joint);
  }
  return outside;
}

void require_motion(const std::string& file, const Tree& tree) {
  if (!tree.bodies.empty()) return;
  throw Error(file +
              ": nothing can move, no joint does and the base is fixed; did you mean --base "
              "floating?");
}

void place_on_ground(const std::string& file, const std::optional<double>& drop,
                     const Bounds& bounds, const Tree& tree, Eigen::VectorXd& q) {
  if (!bounds.has_ground()) {
    if (!drop) return;
    throw Error("--drop: there is no ground; give --ground plane, and shapes");
  }
  if (!floats(tree)) {
    if (!drop) return;
    throw Error(file + ": nothing floats that --drop could place; give --base floating");
  }
  const double wanted = drop.value_or(0);
  const TreeColliders<double> shapes(tree);
  const AnyGround<double> below(bounds, bounds.field.heights);
  for (int round = 0; round < kMostRounds; ++round) {
    const double by = wanted - height_above(below, shapes, tree, q);
    if (!std::isfinite(by)) {
      throw Error(file + ": starts beside the ground; give --start a place above it");
    }
    if (std::abs(by) < kSettled) break;
    raise(tree, by, q);
  }
}

void require_closed(const std::string& file, const std::string& start, const Tree& tree,
                    const Eigen::VectorXd& q) {
  if (!is_closed(tree) || holds(tree, q, kClosed)) return;
  throw Error((start.empty() || start == kZero ? file : start) +
              ": the start pose leaves loops or couplings open; give --start a pose that `lockstep "
              "doctor --assemble " +
              file + "` writes");
}

}  // namespace lockstep::host
