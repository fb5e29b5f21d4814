// Forward dynamics by direct elimination of H (Baraff, equation 8 and appendix A): the same
// question, the same answer as Solver, from J alone and without knowing the joints' free motions.
// It is the general machinery on a robot, and the check on null-space elimination; Solver is the
// fast one. Unknowns y: body accelerations in body frames, gravity subtracted; lambda: multipliers.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "lockstep/border.hpp"
#include "lockstep/factor.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

template <class Model, class T = double>
class DirectSolver : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;
  using Problem<View, T>::Problem;

  Status forward_dynamics(const Input& in, Output& out) { return run(in, nullptr, out); }
  Status forward_dynamics(const Input& in, const Wrenches& external, Output& out) {
    return run(in, &external, out);
  }

 private:
  // A body and its constraint take most room as one node: six of the body, up to five of the
  // constraint, tied to six of the parent.
  static constexpr int kMaxDim = 11, kMaxColumns = 6;

  // A node and its numbers.
  struct Block {
    const NodeShape& n;
    T *blocks, *all;

    T& D(std::size_t row, std::size_t column) const {
      return blocks[index(n.D) + row * index(n.dimension) + column];
    }
    T& J(std::size_t row, std::size_t column) const {
      return blocks[index(n.J) + row * index(n.columns) + column];
    }
    T& x(std::size_t row) const { return all[index(n.x) + row]; }
  };

  struct BodyNodes {
    int body, constraint;  // node numbers; equal for a pair; constraint kNone if there is none
    int row;               // where lambda begins in the constraint's node
  };

  Status run(const Input& in, const Wrenches* external, Output& out) {
    const View& model = this->model();
    if (!fits(model, in, external, out)) return Status::kWrongSize;
    if (const Status status = check_border<T>(model, in, external).status(0);
        status != Status::kOk) {
      return status;
    }
    if constexpr (View::kHasRotors) {
      for (const BodyData<T>& body : model.bodies()) {
        if (body.geared) return Status::kGeared;
      }
    }
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      advance<kJoint>(body, in.q.data() + body.q, in.v.data() + body.v, parent_of(body), at(i));
    });
    const std::span<NodeShape> shapes(shapes_.data(), index(number_nodes()));
    const NodeSizes sizes = place_nodes(shapes);
    std::fill_n(blocks_.data(), sizes.blocks, T(0));
    std::fill_n(x_.data(), sizes.x, T(0));
    fill(in, external);
    const NodeSpan nodes = {shapes};
    if (const Status status = factor(nodes, blocks_.data()); status != Status::kOk) return status;
    solve(nodes, blocks_.data(), x_.data());
    if (!all_finite(x_.data(), sizes.x)) return Status::kOverflow;
    extract(in, out);
    return Status::kOk;
  }

  // Children first: a body's node, then its constraint's. A body whose own inertia is singular
  // (massless, a point, a rod) cannot be eliminated alone, so it forms one node with its
  // constraint, which is regular whenever the mechanism's mass matrix is.
  int number_nodes() {
    int count = 0;
    this->model().forward([&]<JointType kJoint>(int i, const BodyData<T>&) {
      constexpr int kRows = multiplier_count(kJoint);
      BodyNodes& nodes = numbers_[index(i)];
      const bool pair = kRows > 0 && is_singular(at(i).B);
      nodes.body = count;
      shapes_[index(count++)] = {.kind = pair ? NodeKind::kPair : NodeKind::kBody,
                                 .dimension = pair ? 6 + kRows : 6};
      nodes.row = pair ? 6 : 0;
      nodes.constraint = kRows == 0 ? kNone : nodes.body;
      if (kRows > 0 && !pair) {
        nodes.constraint = count;
        shapes_[index(nodes.body)].parent = count;
        shapes_[index(nodes.body)].columns = kRows;
        shapes_[index(count++)] = {.kind = NodeKind::kConstraint, .dimension = kRows};
      }
    });
    // the parents' nodes come later, so they have their numbers only now
    this->model().backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      if (kJoint == JointType::kFloating || body.parent == kWorld) return;
      NodeShape& constraint = shapes_[index(numbers_[index(i)].constraint)];
      constraint.parent = numbers_[index(body.parent)].body;
      constraint.columns = kMaxColumns;
    });
    return count;
  }

  // H and r. Rows of a constraint: Phi^T (y - X y_parent) = Phi^T c, stored with a minus sign.
  void fill(const Input& in, const Wrenches* external) {
    this->model().backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      BodyState<T>& state = at(i);
      Spatial<T> applied{};
      for_free_axes<kJoint>(
          [&](auto k, auto axis) { applied[axis] = active_force(in, body, k()); });
      Spatial<T> force = applied - state.f;
      if (external != nullptr) force = force + link_to_body(body, external->data() + 6 * i);
      if (body.parent == kWorld) {
        const Vec3<T> gravity = {in.gravity[0], in.gravity[1], in.gravity[2]};
        state.c = state.c + to_child<kJoint>(body.X_PJ, state.pose, Spatial<T>{-gravity, {}});
      } else {
        add(node(numbers_[index(body.parent)].body), -T(1),
            to_parent<kJoint>(body.X_PJ, state.pose, applied));
      }

      const Block own = node(numbers_[index(i)].body);
      add(own, T(1), force);
      unroll<6>([&](auto r) { unroll<6>([&](auto c) { own.D(r(), c()) = state.B(r, c); }); });
      if constexpr (kJoint != JointType::kFloating) couple<kJoint>(i, body, state, own);
    });
  }

  template <JointType kJoint>
  void couple(int i, const BodyData<T>& body, const BodyState<T>& state, const Block& own) {
    const BodyNodes& nodes = numbers_[index(i)];
    const Block constraint = node(nodes.constraint);
    const bool pair = nodes.body == nodes.constraint;
    for_constrained_axes<kJoint>([&](auto k, auto axis) {
      const std::size_t row = index(nodes.row + k());
      constraint.x(row) = -state.c[axis];
      if (pair) {
        own.D(row, axis()) = T(-1);
      } else {
        own.J(axis(), k()) = T(-1);
      }
    });
    if (body.parent == kWorld) return;
    unroll<6>([&](auto column) {  // Phi^T X, X column by column
      Spatial<T> unit{};
      unit[column] = T(1);
      const Spatial<T> moved = to_child<kJoint>(body.X_PJ, state.pose, unit);
      for_constrained_axes<kJoint>(
          [&](auto k, auto axis) { constraint.J(index(nodes.row + k()), column()) = moved[axis]; });
    });
  }

  void extract(const Input& in, Output& out) {
    this->model().backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      const BodyNodes& nodes = numbers_[index(i)];
      BodyState<T>& state = at(i);
      Spatial<T> welded = state.c;  // the body's acceleration if its joint did not accelerate
      if (body.parent != kWorld) {
        welded = welded + to_child<kJoint>(body.X_PJ, state.pose, at(body.parent).V);
      }
      unroll<6>([&](auto axis) { state.V[axis] = node(nodes.body).x(axis()); });
      Spatial<T> wrench{};
      for_free_axes<kJoint>([&](auto k, auto axis) {
        out.vdot[body.v + k()] = state.V[axis] - welded[axis];
        wrench[axis] = active_force(in, body, k());
      });
      for_constrained_axes<kJoint>([&](auto k, auto axis) {
        wrench[axis] = node(nodes.constraint).x(index(nodes.row + k()));
      });
      write_reaction<kJoint>(body, wrench, out.reaction.data() + 6 * i,
                             out.lambda.data() + body.lambda);
    });
  }

  static T active_force(const Input& in, const BodyData<T>& body, int k) {
    const T effort = in.tau[body.v + k] - body.damping * in.v[body.v + k];
    return body.stiffness == T(0) ? effort : effort - body.stiffness * (in.q[body.q] - body.rest);
  }

  static bool is_singular(Inertia6<T> M) {
    const T largest = M.C.xx + M.C.yy + M.C.zz;  // the largest pivot the angular block can have
    if (!factor_free_block<JointType::kFloating>(M)) return true;
    bool small = false;  // the diagonal now holds reciprocal pivots
    unroll<3>([&](auto a) {
      small |= M.template at<a() + 3, a() + 3>() * largest * T(64 * kEpsilon) > T(1);
    });
    return small;
  }
  static constexpr double kEpsilon = sizeof(T) == sizeof(float) ? 0x1p-23 : 0x1p-52;

  static void add(const Block& to, const T& sign, const Spatial<T>& F) {
    unroll<6>([&](auto axis) { to.x(axis()) = to.x(axis()) + sign * F[axis]; });
  }
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Block node(int number) { return {shapes_[index(number)], blocks_.data(), x_.data()}; }
  BodyState<T>& at(int i) { return bodies_[index(i)]; }
  const BodyState<T>* parent_of(const BodyData<T>& body) {
    return body.parent == kWorld ? nullptr : &at(body.parent);
  }

  std::array<BodyState<T>, static_cast<std::size_t>(View::kMaxBodies)> bodies_;
  std::array<BodyNodes, static_cast<std::size_t>(View::kMaxBodies)> numbers_;
  std::array<NodeShape, static_cast<std::size_t>(2 * View::kMaxBodies)> shapes_;
  std::array<T, static_cast<std::size_t>(View::kMaxBodies* kMaxDim*(kMaxDim + kMaxColumns))>
      blocks_;
  std::array<T, static_cast<std::size_t>(View::kMaxBodies* kMaxDim)> x_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
