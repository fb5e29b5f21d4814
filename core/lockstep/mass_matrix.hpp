// The joint-space mass matrix M(q): M vdot + bias = tau, kinetic energy v^T M v / 2. By composite
// bodies (Walker, Orin 1982): everything beyond a joint moves as one rigid body, whose momentum
// along the joint, seen at the joints before it, is a column of M. Tied joints count as free ones.
// Cost: a pass over the bodies and, for each joint, its way to the root.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "lockstep/border.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// A rigid body about the origin of its frame: mass, first moment h, second moment I.
template <class T>
struct RigidBody {
  T mass;
  Vec3<T> h;
  Sym3<T> inertia;

  friend constexpr RigidBody operator+(const RigidBody& a, const RigidBody& b) {
    return {a.mass + b.mass, a.h + b.h, a.inertia + b.inertia};
  }
};

// A rigid body at B seen at P. Steiner's theorem with g = h + m p / 2, all in P:
// I_P = I + 2 (p . g) 1 - p g^T - g p^T.
template <class T>
constexpr RigidBody<T> rigid_body_to_parent(const Placement<T>& X, const RigidBody<T>& body) {
  const Vec3<T>& p = X.p;
  const Vec3<T> h = X.R * body.h;
  const Vec3<T> mp = body.mass * p;
  const Vec3<T> g = h + T(0.5) * mp;
  const Vec3<T> d = {p.x * g.x, p.y * g.y, p.z * g.z};
  const Sym3<T> I_B = rotate(X.R, body.inertia);
  return {body.mass,
          h + mp,
          {I_B.xx + T(2) * (d.y + d.z), I_B.xy - (p.x * g.y + p.y * g.x),
           I_B.xz - (p.x * g.z + p.z * g.x), I_B.yy + T(2) * (d.x + d.z),
           I_B.yz - (p.y * g.z + p.z * g.y), I_B.zz + T(2) * (d.x + d.y)}};
}

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>. T: a plain number.
template <class Model, class T = double>
class MassMatrix : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using Problem<View, T>::Problem;

  static constexpr int kSize = View::kIsStatic ? View::kMaxDofs : Eigen::Dynamic;
  using Matrix = Eigen::Matrix<T, kSize, kSize, Eigen::DontAlign, View::kMaxDofs, View::kMaxDofs>;

  Matrix make_output() const {
    const int size = this->model().counts().v;
    return Matrix::Zero(size, size);
  }

  // Both triangles of M. Any square matrix of the right size will do. On any status but kOk it is
  // as it was.
  template <class Derived>
  [[nodiscard]] Status mass_matrix(const Configs& q, Eigen::MatrixBase<Derived>& M) {
    const View& model = this->model();
    const Counts counts = model.counts();
    if (q.size() != counts.q || M.rows() != counts.v || M.cols() != counts.v) {
      return Status::kWrongSize;
    }
    const Border<T> border = check_configuration<T>(model, q.data());
    if (!border.passed()) return border.status(0);

    bool bounded = true;
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      if (body.geared) bounded &= is_bounded({body.armature, body.spin, {}});
      at(i) = {.X_PB = place_body<kJoint>(body.X_PJ, q.data() + body.q),
               .composite = {body.mass, body.h, body.inertia},
               .parent = body.parent,
               .v = body.v,
               .joint = kJoint};
    });
    for (int i = model.body_count() - 1; i >= 0; --i) {
      const State& state = at(i);
      bounded &= is_bounded(state.composite);
      if (state.parent == kWorld) continue;
      RigidBody<T>& above = at(state.parent).composite;
      above = above + rigid_body_to_parent(state.X_PB, state.composite);
    }
    if (!bounded) return Status::kOverflow;

    M.setZero();
    for (int i = 0; i < model.body_count(); ++i) {
      dispatch(at(i).joint, [&]<JointType kJoint>() { write_columns<kJoint>(at(i), M); });
    }
    if constexpr (View::kHasRotors) {
      for (int i = 0; i < model.body_count(); ++i) {
        const BodyData<T>& body = model.bodies()[static_cast<std::size_t>(i)];
        if (body.geared) add_rotor(at(i), body, M);
      }
    }
    return Status::kOk;
  }

 private:
  struct State {
    Placement<T> X_PB;
    RigidBody<T> composite;  // the body and all that it carries
    int parent, v;
    JointType joint;
  };

  template <JointType kJoint, class Derived>
  void write_columns(const State& own, Eigen::MatrixBase<Derived>& M) {
    for_free_axes<kJoint>([&](auto k, auto axis) {
      const RigidBody<T>& body = own.composite;
      const int column = own.v + k();
      Spatial<T> unit{};
      unit[axis] = T(1);
      Spatial<T> momentum = rigid_momentum(body.mass, body.h, body.inertia, unit);
      for_free_axes<kJoint>([&](auto l, auto row) {
        if constexpr (l() <= k()) put(momentum[row], own.v + l(), column, M);
      });
      for (const State* state = &own; state->parent != kWorld;) {
        momentum = wrench_to_parent(state->X_PB, momentum);
        state = &at(state->parent);
        dispatch(state->joint, [&]<JointType kAbove>() {
          for_free_axes<kAbove>(
              [&](auto l, auto row) { put(momentum[row], state->v + l(), column, M); });
        });
      }
    });
  }

  // The armature, and the spin as an angular momentum of the parent (lockstep/rotor.hpp).
  template <class Derived>
  void add_rotor(const State& own, const BodyData<T>& body, Eigen::MatrixBase<Derived>& M) {
    M(own.v, own.v) += body.armature;
    Spatial<T> momentum = {{}, body.X_PJ.R * body.spin};
    for (int i = own.parent; i != kWorld; i = at(i).parent) {
      const State& state = at(i);
      dispatch(state.joint, [&]<JointType kAbove>() {
        for_free_axes<kAbove>([&](auto l, auto row) {
          const int place = state.v + l();
          put(M(place, own.v) + momentum[row], place, own.v, M);
        });
      });
      momentum = wrench_to_parent(state.X_PB, momentum);
    }
  }

  template <class Derived>
  static void put(const T& value, int row, int column, Eigen::MatrixBase<Derived>& M) {
    M(row, column) = value;
    M(column, row) = value;
  }

  // An entry of M is at most the geometric mean of two on the diagonal, and what is computed on the
  // way at most a few times as large: with some room here, nothing overflows later.
  static bool is_bounded(const RigidBody<T>& body) {
    constexpr T kBound = std::numeric_limits<T>::max() / T(64);
    const auto& [mass, h, I_B] = body;
    bool bounded = is_within(mass, kBound);
    for (const T& x : {h.x, h.y, h.z, I_B.xx, I_B.xy, I_B.xz, I_B.yy, I_B.yz, I_B.zz}) {
      bounded &= is_within(x, kBound);
    }
    return bounded;
  }

  State& at(int i) { return states_[static_cast<std::size_t>(i)]; }

  std::array<State, static_cast<std::size_t>(View::kMaxBodies)> states_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
