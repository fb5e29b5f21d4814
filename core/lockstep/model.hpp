// The model schema: what the host tool emits, what a board may receive, what the solver reads.
// Plain aggregates of numbers, SI units, radians.
// Frames: W world, L the URDF link frame, B the body frame of the solver. B shares L's origin and
// is turned so that the joint axis is +z (planar: the plane's normal); J is B's frame at q = 0, P
// the parent's B. R_XY turns Y components into X components, row-major.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace lockstep {

// An index into arrays, from the int that counts.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

inline constexpr int kWorld = -1;  // the parent of a body whose joint hangs on the world
inline constexpr int kNone = -1;

enum class JointType : std::uint8_t {
  kRevolute = 0,   // q: angle; URDF revolute and continuous
  kPrismatic = 1,  // q: displacement
  kBall = 2,       // q: unit quaternion x y z w; v: angular velocity in B
  kPlanar = 3,     // q: x, y, angle in J; v: (vx, vy, wz) in B
  kFloating = 4,   // q: x, y, z, quaternion x y z w; v: linear then angular, in B
};
inline constexpr int kJointTypes = 5;

// Coordinates of q, of v, and rows of the joint's constraint (the multipliers it needs).
constexpr int config_count(JointType joint) {
  constexpr std::array<int, kJointTypes> kCount = {1, 1, 4, 3, 7};
  return kCount[static_cast<std::size_t>(joint)];
}
constexpr int dof_count(JointType joint) {
  constexpr std::array<int, kJointTypes> kCount = {1, 1, 3, 3, 6};
  return kCount[static_cast<std::size_t>(joint)];
}
constexpr int multiplier_count(JointType joint) { return 6 - dof_count(joint); }

// What a joint does at its ends. Infinite where the robot's description does not say.
struct Limits {
  double lower = -std::numeric_limits<double>::infinity();  // rad or m
  double upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity();  // rad/s or m/s
  double effort = std::numeric_limits<double>::infinity();    // N m or N
  constexpr bool operator==(const Limits&) const = default;
};

// q = multiplier * q[body] + offset
struct Mimic {
  int body = kNone;
  double multiplier = 1;
  double offset = 0;
  constexpr bool operator==(const Mimic&) const = default;
};

// Joints of one coordinate that move together, beyond the tree: the sum of coefficient * q over the
// terms first .. first + count - 1 of a model's list is the offset.
struct CouplingTerm {
  int body = kNone;
  double coefficient = 1;
  constexpr bool operator==(const CouplingTerm&) const = default;
};
struct Coupling {
  int first = 0, count = 0;
  double offset = 0;
  double stiffness = 0, damping = 0;  // of a row that yields, on the sum; both zero: it does not
  constexpr bool operator==(const Coupling&) const = default;
};

// A rotor that turns with the joint of a body and is part of its parent: q of the rotor is
// ratio * q + offset.
struct Rotor {
  int body = kNone;
  double ratio = 1;
  double offset = 0;
  constexpr bool operator==(const Rotor&) const = default;
};

// A joint that follows another on the same parent, v = ratio * v of the leader's, both of one
// coordinate. The leader stands before it, and nothing hangs on it.
struct Tie {
  int leader = kNone;
  double ratio = 1;
  constexpr bool operator==(const Tie&) const = default;
};

// A movable body and the joint that carries it. Rotors behind a joint of one coordinate, with ratio
// r and moment I about the axis a, are two constants of it and rigid parts of the parent.
struct Body {
  int parent = kWorld;  // index of an earlier body
  JointType joint = JointType::kRevolute;
  std::array<double, 9> R_PJ = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> p_PJ = {};                           // m, from P's origin to J's, in P
  std::array<double, 9> R_LB = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // body axes in the URDF link's
  double mass = 0;                                           // kg
  std::array<double, 3> h = {};        // kg m, mass times centre of mass, in B
  std::array<double, 6> inertia = {};  // kg m^2, about B's origin, in B: xx xy xz yy yz zz
  double damping = 0;                  // N m s/rad or N s/m
  double friction = 0;                 // N m or N
  double stiffness = 0;                // N m/rad or N/m, of a spring; one coordinate only
  double rest = 0;                     // rad or m, where the spring has no force
  double armature = 0;                 // kg m^2 or kg: the file's, and the sum of r^2 I
  std::array<double, 3> spin = {};     // kg m^2 or kg m, the sum of r I a, in J
  Tie tie = {};
  bool leads = false;   // others are tied to this joint
  double followed = 0;  // kg m^2 or kg, the sum of ratio^2 I over these
  Limits limits = {};
  Mimic mimic = {};
  constexpr bool operator==(const Body&) const = default;
};

// Whether an implicit step differs for its joint (lockstep/implicit.hpp).
constexpr bool is_soft(const Body& body) { return body.damping != 0 || body.stiffness != 0; }

// Whether rows of a loop, coupling or tendon do (lockstep/auxiliary/soft_rows.hpp).
template <class Record>
constexpr bool yields(const Record& record) {
  bool heavy = false;
  if constexpr (requires { record.armature; }) heavy = record.armature != 0;
  return record.damping != 0 || record.stiffness != 0 || heavy;
}

// Subtrees of one shape, such as the legs of a robot: the same joints in the same order. Solvers
// may compute them side by side. Body roots[k] + i of one corresponds to roots[0] + i; where there
// are fewer than kLimbLanes, the first is named again.
inline constexpr int kLimbLanes = 4;
struct Limbs {
  std::array<int, kLimbLanes> roots = {};
  int size = 0;  // bodies of each
  constexpr bool operator==(const Limbs&) const = default;
};

// A frame that users may name: a URDF link, fixed to a body.
struct NamedFrame {
  int body = kWorld;
  std::array<double, 9> R_BF = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> p_BF = {};
  constexpr bool operator==(const NamedFrame&) const = default;
};

// Where a joint's numbers stand: its body's column in reactions and external wrenches, the first of
// its coordinates in q, the first of its rates in v, tau and vdot. With a floating base these
// differ.
struct JointIndex {
  int body = 0, q = 0, v = 0;
  constexpr bool operator==(const JointIndex&) const = default;
};

// One block row of H (Baraff, equation 8). `parent` is an index into the same array.
enum class NodeKind : std::uint8_t {
  kBody = 0,
  kConstraint = 1,
  kPair = 2,  // a body and its constraint in one node: for bodies that are singular by themselves
};
struct Node {
  NodeKind kind = NodeKind::kBody;
  int body = 0;  // the body itself, or the body that the constraint carries
  int dimension = 6;
  int parent = kNone;
  constexpr bool operator==(const Node&) const = default;
};

// A model that the host tool emitted: its arrays are compile-time constants.
template <class Model>
concept EmittedModel = requires {
  Model::kBodies.size();
  Model::kForward.size();
  Model::kHash;
};

// Bodies stand in Backward order: parents first.
template <class Bodies>
constexpr bool parents_come_first(const Bodies& bodies) {
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const int parent = bodies[static_cast<std::size_t>(i)].parent;
    if (parent < kWorld || parent >= i) return false;
  }
  return true;
}

// Nodes stand in Forward order: children first, so that elimination creates no fill-in
// (Baraff, section 7.1).
template <class Nodes>
constexpr bool children_come_first(const Nodes& nodes) {
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    const int parent = nodes[static_cast<std::size_t>(i)].parent;
    if (parent != kNone && (parent <= i || parent >= static_cast<int>(nodes.size()))) return false;
  }
  return true;
}

// Backward lists the same nodes the other way round.
template <class Backward, class Nodes>
constexpr bool is_reverse_of(const Backward& backward, const Nodes& nodes) {
  if (backward.size() != nodes.size()) return false;
  for (std::size_t i = 0; i < backward.size(); ++i) {
    if (backward[i] != static_cast<int>(backward.size() - 1 - i)) return false;
  }
  return true;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
