// Lagrange multipliers in linear time for any mechanism without loops (Baraff 1996, sections 3 to
// 7). At a state, M, J and the factor of H are computed once; then three kinds of problems have the
// same solution, each one pass down and up the tree:
//   second order   M vdot = force + J^T lambda,      J vdot + c = 0            accelerations
//   first order    M v = force + J^T lambda,         J v + drift = 0           velocities, f = m v
//   impulsive      M (v+ - v) = impulse + J^T lambda,  J v+ + drift = 0        velocity changes
// Forces are along the velocities of each body: world axes, at the centre of mass.
#pragma once

#include <Eigen/Core>

#include "lockstep/maximal/static_mechanism.hpp"
#include "lockstep/maximal/table_mechanism.hpp"
#include "lockstep/problem.hpp"

namespace lockstep::maximal {

template <class Mechanism>
using PosesOf =
    lockstep::Vector<typename Mechanism::Scalar, Mechanism::kMaxX, Mechanism::kIsStatic>;
template <class Mechanism>
using VelocitiesOf =
    lockstep::Vector<typename Mechanism::Scalar, Mechanism::kMaxV, Mechanism::kIsStatic>;
template <class Mechanism>
using MultipliersOf =
    lockstep::Vector<typename Mechanism::Scalar, Mechanism::kMaxLambda, Mechanism::kIsStatic>;

// Poses of all bodies, one after the other, and their velocities.
template <class Mechanism>
struct State {
  PosesOf<Mechanism> x;
  VelocitiesOf<Mechanism> v;
  typename Mechanism::Scalar time;
};

// How rows' errors are pulled back: by accelerations -position * phi - velocity * (J v + drift)
// (Baumgarte 1972), or by velocities -position * phi.
template <class T>
struct Gains {
  T position{}, velocity{};
};

template <class Mechanism>
class Lagrange {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;
  using Multipliers = MultipliersOf<Mechanism>;
  using Gravity = Eigen::Matrix<T, 3, 1, Eigen::DontAlign>;

  // What acts on the bodies: weight in a gravity field, and forces.
  struct Loads {
    Velocities force;
    Gravity gravity;  // m/s^2
  };
  struct Solution {
    Velocities v;  // accelerations, velocities or velocity changes
    Multipliers lambda;
  };

  Lagrange() requires Mechanism::kIsStatic = default;
  explicit Lagrange(const Mechanism& mechanism) : mechanism_(mechanism) {}

  // Each body at the origin of its type's Pose, at rest.
  State make_state() const {
    const MechanismCounts counts = mechanism_.counts();
    State state = {PosesOf<Mechanism>::Zero(counts.x), Velocities::Zero(counts.v), T(0)};
    mechanism_.bodies([&]<class B>(const B&, const BodyPlace& place) {
      store(typename B::Pose{}, state.x.data() + place.x);
    });
    return state;
  }
  Loads make_loads() const {
    return {Velocities::Zero(mechanism_.counts().v), Gravity(T(0), T(0), T(-9.81))};
  }
  Solution make_solution() const {
    return {Velocities::Zero(mechanism_.counts().v), Multipliers::Zero(mechanism_.counts().lambda)};
  }

  // Evaluates M, J, c and the rows' errors at the state, and factors H. The solutions below are of
  // this state, until the next.
  Status factor(const State& state) {
    if (const Status status = check(state); status != Status::kOk) return status;
    fill_bodies(state);
    fill_constraints<true>(state);
    return lockstep::factor(mechanism_.nodes(), blocks_.data());
  }

  // Accelerations and velocities shall pull back the errors that the rows have now, until told
  // otherwise; at first they pull nothing back.
  void pull_back(const Gains<T>& gains) {
    pull_ = gains.velocity * rows_.velocity_error + gains.position * rows_.value;
  }

  // `state` is the one that was factored.
  Status accelerations(const State& state, const Loads& loads, Solution& out) {
    if (const Status status = check(loads); status != Status::kOk) return status;
    set_bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const auto pose = load<typename B::Pose>(state.x.data() + place.x);
      auto force =
          body.inertial_force(pose, load<Vector<T, B::kDimension>>(state.v.data() + place.v));
      add_loads(body, pose, place, loads, force);
      return force;
    });
    set_rows([&](int i) { return rows_.c[i] + pull_[i]; });
    return solve(out);
  }
  // Those that forces cause in a world without inertia: f = m v. `state` was factored.
  Status velocities(const State& state, const Loads& loads, Solution& out) {
    if (const Status status = check(loads); status != Status::kOk) return status;
    set_bodies([&]<class B>(const B& body, const BodyPlace& place) {
      Vector<T, B::kDimension> force{};
      add_loads(body, load<typename B::Pose>(state.x.data() + place.x), place, loads, force);
      return force;
    });
    set_rows([&](int i) { return rows_.drift[i] + pull_[i]; });
    return solve(out);
  }
  // With no impulses: to the nearest velocities, as the mass matrix measures, that the rows allow.
  Status velocity_changes(const Velocities& impulse, Solution& out) {
    if (impulse.size() != mechanism_.counts().v) return Status::kWrongSize;
    if (!all_finite(impulse.data(), mechanism_.counts().v)) return Status::kNotFinite;
    set_bodies([&]<class B>(const B&, const BodyPlace& place) {
      return load<Vector<T, B::kDimension>>(impulse.data() + place.v);
    });
    set_rows([&](int i) { return rows_.velocity_error[i]; });
    return solve(out);
  }
  // The nearest displacement that brings the rows' values to zero, to first order.
  Status displacements(Solution& out) {
    set_bodies([]<class B>(const B&, const BodyPlace&) { return Vector<T, B::kDimension>{}; });
    set_rows([&](int i) { return rows_.value[i]; });
    return solve(out);
  }

  // The rows' errors alone, at another state than the factor's.
  Status evaluate(const State& state) {
    if (const Status status = check(state); status != Status::kOk) return status;
    fill_constraints<false>(state);
    return Status::kOk;
  }
  const Multipliers& position_errors() const { return rows_.value; }
  const Multipliers& velocity_errors() const { return rows_.velocity_error; }

  const Mechanism& mechanism() const { return mechanism_; }

 private:
  struct RowValues {
    Multipliers value, velocity_error, drift, c;
  };

  Status check(const State& state) const {
    const MechanismCounts counts = mechanism_.counts();
    if (state.x.size() != counts.x || state.v.size() != counts.v) return Status::kWrongSize;
    if (!all_finite(state.v.data(), counts.v) || !is_finite(state.time)) return Status::kNotFinite;
    Status status = Status::kOk;
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const Status own = body.check(load<typename B::Pose>(state.x.data() + place.x));
      if (status == Status::kOk) status = own;
    });
    return status;
  }

  Status check(const Loads& loads) const {
    const int size = mechanism_.counts().v;
    if (loads.force.size() != size) return Status::kWrongSize;
    const bool finite = all_finite(loads.force.data(), size) && all_finite(loads.gravity.data(), 3);
    return finite ? Status::kOk : Status::kNotFinite;
  }

  void fill_bodies(const State& state) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const auto pose = load<typename B::Pose>(state.x.data() + place.x);
      const auto M = body.mass_matrix(pose);
      T* D = blocks_.data() + place.node.D;
      for (int i = 0; i < place.node.J - place.node.D; ++i) D[i] = T(0);
      for (int i = 0; i < B::kDimension; ++i) {
        for (int j = 0; j <= i; ++j) D[i * place.node.dimension + j] = M[at(i)][at(j)];
      }
    });
  }

  template <bool kWithJacobian>
  void fill_constraints(const State& state) {
    const int lambdas = mechanism_.counts().lambda;
    rows_.value.resize(lambdas), rows_.velocity_error.resize(lambdas);
    rows_.drift.resize(lambdas), rows_.c.resize(lambdas);
    mechanism_.constraints([&](const ConstraintPlace& place, const auto& evaluate) {
      const auto blocks = evaluate(state.x.data(), state.v.data(), state.time);
      for (int i = 0; i < place.dimension; ++i) {
        rows_.value[place.lambda + i] = blocks.value[at(i)];
        rows_.velocity_error[place.lambda + i] = blocks.velocity_error[at(i)];
        rows_.drift[place.lambda + i] = blocks.drift[at(i)];
        rows_.c[place.lambda + i] = blocks.c[at(i)];
      }
      if constexpr (kWithJacobian) {
        if (place.node.kind == NodeKind::kConstraint) {
          T* D = blocks_.data() + place.node.D;
          for (int i = 0; i < place.node.J - place.node.D; ++i) D[i] = T(0);
        }
        put_jacobian(place, place.a, blocks.J_A);
        put_jacobian(place, place.b, blocks.J_B);
      }
    });
  }

  // -J where H has it: below the body in one node, or in the block of the node that comes first.
  template <class Jacobian>
  void put_jacobian(const ConstraintPlace& place, const EndPlace& end, const Jacobian& J) {
    if (end.dimension == 0) return;
    const int rows = place.dimension, columns = end.dimension;
    if (end.same) {
      T* D = blocks_.data() + end.node.D + place.row * end.node.dimension;
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) D[i * end.node.dimension + j] = -J[at(i)][at(j)];
      }
    } else if (end.child) {
      T* block = blocks_.data() + end.node.J;
      for (int j = 0; j < end.node.dimension; ++j) {
        for (int i = 0; i < rows; ++i) {
          block[j * rows + i] = j < columns ? -J[at(i)][at(j)] : T(0);
        }
      }
    } else {
      T* block = blocks_.data() + place.node.J;
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) block[i * columns + j] = -J[at(i)][at(j)];
      }
    }
  }

  template <class F>
  void set_bodies(F&& force) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      store(force(body, place), x_.data() + place.node.x);
    });
  }
  template <class B, class Force>
  static void add_loads(const B& body, const typename B::Pose& pose, const BodyPlace& place,
                        const Loads& loads, Force& force) {
    const auto own = weight(body, pose, {loads.gravity[0], loads.gravity[1], loads.gravity[2]});
    for (int i = 0; i < B::kDimension; ++i) {
      force[at(i)] = force[at(i)] + (own[at(i)] + loads.force[place.v + i]);
    }
  }
  template <class F>
  void set_rows(F&& value) {
    mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      for (int i = 0; i < place.dimension; ++i) {
        x_[at(place.node.x + place.row + i)] = value(place.lambda + i);
      }
    });
  }

  Status solve(Solution& out) {
    const MechanismCounts counts = mechanism_.counts();
    if (out.v.size() != counts.v || out.lambda.size() != counts.lambda) return Status::kWrongSize;
    lockstep::solve(mechanism_.nodes(), blocks_.data(), x_.data());
    if (!all_finite(x_.data(), mechanism_.sizes().x)) return Status::kOverflow;
    mechanism_.bodies([&]<class B>(const B&, const BodyPlace& place) {
      for (int i = 0; i < B::kDimension; ++i) out.v[place.v + i] = x_[at(place.node.x + i)];
    });
    mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      for (int i = 0; i < place.dimension; ++i) {
        out.lambda[place.lambda + i] = x_[at(place.node.x + place.row + i)];
      }
    });
    return Status::kOk;
  }

  // a static mechanism is a type, a table lives with the caller
  [[no_unique_address]] std::conditional_t<Mechanism::kIsStatic, Mechanism, const Mechanism&>
      mechanism_;
  std::array<T, at(Mechanism::kMaxBlocks)> blocks_;
  std::array<T, at(Mechanism::kMaxUnknowns)> x_;
  RowValues rows_;
  Multipliers pull_ = Multipliers::Zero(mechanism_.counts().lambda);
};

}  // namespace lockstep::maximal
