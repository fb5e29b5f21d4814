// What the solver knows of a mechanism, static or in a table: how many numbers its state has, where
// those of each body and constraint lie, and how to look at them. A mechanism has
//   bodies(f)       calls f(body, place) for each, in their order
//   body(i, f)      the same for one of them
//   constraints(f)  calls f(place, evaluate); evaluate(x, v, time) gives the constraint's Blocks,
//                   evaluate.operator()<Form::kAlone>(x, v, time) J_A and J_B of them
//   body(i, f), constraint(i, f)  the same for one of them; link(i) tells a constraint's bodies
//   errors(x, v, time, f)  calls f(place, errors) for each constraint, the RowErrors of its Blocks
//   nodes()         what factor and solve walk over
#pragma once

#include "lockstep/hide_macros.hpp"

#include <type_traits>

#include "lockstep/constraint/constraint.hpp"
#include "lockstep/maximal/body.hpp"
#include "lockstep/maximal/order.hpp"
#include "lockstep/maximal/records.hpp"

namespace lockstep::maximal {

struct MechanismCounts {
  int bodies = 0, constraints = 0;
  int x = 0;              // numbers of all poses
  int v = 0;              // velocities
  int lambda = 0;         // multipliers
  int velocity_rows = 0;  // of them, those that only velocities obey
  int auxiliary = 0;      // of them, those that the forest of nodes cannot hold
  int soft = 0;           // constraints whose rows yield
  int terms = 0;          // rows of two bodies at the most; a coupling's row is the sum of several
};

struct BodyPlace {
  int x = 0, v = 0;  // where its pose and its velocity begin
  int dimension = 0;
  NodeShape node;
  int number = 0;  // of the node, in Forward order
};

// One end of a constraint.
struct EndPlace {
  int dimension = 0;   // none at the world
  NodeShape node;      // of the body
  int number = 0;      // of the node
  bool same = false;   // the body and the constraint are one node
  bool child = false;  // or the body comes before the constraint
};

// A Softness in both scalars, so that a step converts nothing.
class PlacedSoftness {
 public:
  template <class T>
  struct Numbers {
    T stiffness{}, damping{}, armature{};
  };

  constexpr PlacedSoftness() = default;
  constexpr PlacedSoftness(const Softness& own)
      : yields_(own.yields()),
        wide_{own.stiffness, own.damping, own.armature},
        narrow_{static_cast<float>(own.stiffness), static_cast<float>(own.damping),
                static_cast<float>(own.armature)} {}

  constexpr bool yields() const { return yields_; }
  template <class T>
  constexpr Numbers<T> in() const {
    if constexpr (std::is_same_v<T, float>) {
      return narrow_;
    } else {
      return {static_cast<T>(wide_.stiffness), static_cast<T>(wide_.damping),
              static_cast<T>(wide_.armature)};
    }
  }

 private:
  bool yields_ = false;
  Numbers<double> wide_;
  Numbers<float> narrow_;
};

struct ConstraintPlace {
  int dimension = 0;
  int lambda = 0;  // where its multipliers begin
  int row = 0;     // where its rows begin in its node, or among the auxiliary ones
  int term = 0;    // where they begin among the terms of auxiliary ones
  bool auxiliary = false;
  bool joins = false;  // its row is added to that of the constraint before
  int turn_parts = 0;
  unsigned velocity_rows = 0;  // that only velocities obey, a bit for each
  PlacedSoftness softness;
  NodeShape node;  // if it is not auxiliary
  EndPlace a, b;

  constexpr bool is_velocity(int i) const { return (velocity_rows >> i & 1U) != 0; }
};

// Numbers of a pose.
template <class B>
constexpr int pose_count() {
  return static_cast<int>(sizeof(typename B::Pose) / sizeof(typename B::Scalar));
}

namespace detail {

template <class... Bs>
constexpr bool are_bodies(TypeList<Bs...>) {
  return ((Body<Bs> && Bs::kDimension <= lockstep::detail::kMaxColumns) && ...);
}

template <class Order>
constexpr EndPlace place_end(const Order& order, int constraint, int body, int dimension) {
  if (body == kWorld) return {};
  const int own = order.constraint_node[at(constraint)], other = order.body_node[at(body)];
  const NodeShape& node = order.nodes[at(other)];
  const bool primary = own != kNone;
  return {.dimension = dimension,
          .node = node,
          .number = other,
          .same = primary && own == other,
          .child = primary && node.parent == own};
}

// `links` and `dimensions` of the bodies are those that were ordered; so many multipliers are those
// of the constraints before.
template <class Order>
constexpr ConstraintPlace place_constraint(const Order& order, int constraint, const Link& link,
                                           std::span<const int> dimensions, int lambda) {
  const auto end = [&](int body) {
    return place_end(order, constraint, body, body == kWorld ? 0 : dimensions[at(body)]);
  };
  const int node = order.constraint_node[at(constraint)];
  return {.dimension = link.dimension,
          .lambda = link.joins ? lambda - link.dimension : lambda,
          .row = order.constraint_row[at(constraint)],
          .term = order.constraint_term[at(constraint)],
          .auxiliary = node == kNone,
          .joins = link.joins,
          .turn_parts = link.turn_parts,
          .velocity_rows = link.velocity_rows,
          .softness = link.softness,
          .node = node == kNone ? NodeShape{} : order.nodes[at(node)],
          .a = end(link.a),
          .b = end(link.b)};
}

template <class B>
using VelocityOf = Vector<typename B::Scalar, B::kDimension>;

}  // namespace detail
}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
