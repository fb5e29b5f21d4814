// Equation (8) of Baraff 1996 at a state: a mechanism's M and J in the blocks of factor.hpp, and
// the values of its rows. Forming, factoring and solving are apart, for those who solve more often
// than they factor. Which right side makes which problem is lagrange.hpp's.
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

template <class Mechanism>
class System {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;
  using Multipliers = MultipliersOf<Mechanism>;

  struct Solution {
    Velocities v;  // accelerations, velocities or velocity changes
    Multipliers lambda;
  };

  // Of each row, at the state.
  struct RowValues {
    Multipliers value, velocity_error, drift, c;
  };

  System() requires Mechanism::kIsStatic = default;
  explicit System(const Mechanism& mechanism) : mechanism_(mechanism) {}

  // H and the rows' values at the state.
  Status form(const State& state) {
    if (const Status status = check(state); status != Status::kOk) return status;
    fill_bodies(state);
    fill_constraints<true>(state);
    return Status::kOk;
  }
  // The rows' values alone; H or its factor stays.
  Status evaluate(const State& state) {
    if (const Status status = check(state); status != Status::kOk) return status;
    fill_constraints<false>(state);
    return Status::kOk;
  }
  // Of what was formed; the factor takes its place.
  Status factor() { return lockstep::factor(mechanism_.nodes(), blocks_.data()); }

  // The right side: force(body, place) for each body, value(i) for each row.
  template <class F>
  void set_bodies(F&& force) {
    mechanism_.bodies([&]<class B>(const B& body, const BodyPlace& place) {
      store(force(body, place), x_.data() + place.node.x);
    });
  }
  template <class F>
  void set_rows(F&& value) {
    mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      for (int i = 0; i < place.dimension; ++i) {
        x_[at(place.node.x + place.row + i)] = value(place.lambda + i);
      }
    });
  }

  // Of the right side, which it overwrites.
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

  const RowValues& rows() const { return rows_; }
  const Mechanism& mechanism() const { return mechanism_; }

 private:
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

  // a static mechanism is a type, a table lives with the caller
  [[no_unique_address]] std::conditional_t<Mechanism::kIsStatic, Mechanism, const Mechanism&>
      mechanism_;
  std::array<T, at(Mechanism::kMaxBlocks)> blocks_;
  std::array<T, at(Mechanism::kMaxUnknowns)> x_;
  RowValues rows_;
};

}  // namespace lockstep::maximal
