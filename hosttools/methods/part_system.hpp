// The rows of a mechanism solved part by part: each part's system (equation 7 of Bender 2007) is
// factored in linear time, and sweeps over the parts settle what they do to each other. Unknowns
// are a velocity change of every body and an impulse of every row, J v + b = 0.
#pragma once

#include "lockstep/maximal/node_blocks.hpp"
#include "lockstep/maximal/sparse_system.hpp"
#include "methods/parts.hpp"

namespace lockstep::host::methods {

template <class Mechanism, int kMaxParts>
class PartSystem {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;
  using Multipliers = MultipliersOf<Mechanism>;

  explicit PartSystem(const Mechanism& mechanism) : mechanism_(mechanism) {
    value.setZero(mechanism.counts().lambda);
    rate = b = lack = value;
  }

  Status assign(const PartTable& table) {
    const Status status = parts_.assign(mechanism_, table);
    numbers_.clear();
    for (int i = 0; i < parts_.size(); ++i) {
      const Part& own = parts_[i];
      numbers_.push_back({std::vector<T>(at(own.sizes.blocks)), std::vector<T>(at(own.sizes.x)),
                          std::vector<T>(at(own.jacobians))});
    }
    return status;
  }

  const Mechanism& mechanism() const { return mechanism_; }
  const Parts<Mechanism, kMaxParts>& parts() const { return parts_; }

  // M, J, their factor and the rows' values and rates at the state.
  Status factor(int part, const State& state) {
    T* blocks = numbers_[at(part)].blocks.data();
    T* J = numbers_[at(part)].J.data();
    for (const PartBody& held : parts_[part].bodies) {
      mechanism_.body(held.body, [&]<class B>(const B& body, const BodyPlace& place) {
        const auto pose = load<typename B::Pose>(state.x.data() + place.x);
        put_mass(body.mass_matrix(pose), held.node, blocks);
      });
    }
    evaluate(part, state, [&](const PartConstraint& held, const auto& rows) {
      put_jacobians(held.place, rows, blocks);
      for (int i = 0; i < held.place.dimension; ++i) {
        for (int j = 0; j < held.place.a.dimension; ++j) *J++ = rows.J_A[at(i)][at(j)];
        for (int j = 0; j < held.place.b.dimension; ++j) *J++ = rows.J_B[at(i)][at(j)];
      }
    });
    return lockstep::factor(NodeSpan{parts_[part].nodes}, blocks);
  }

  // The rows' values and rates alone.
  void evaluate(int part, const State& state) {
    evaluate(part, state, [](const PartConstraint&, const auto&) {});
  }

  // Changes v and lambda such that the part's rows hold.
  void correct(int part, Velocities& v, Multipliers& lambda) {
    const Part& own = parts_[part];
    T* x = numbers_[at(part)].x.data();
    const T* J = numbers_[at(part)].J.data();
    for (const PartBody& held : own.bodies) {
      std::fill_n(x + held.node.x, held.node.dimension, T(0));
    }
    for (const PartConstraint& held : own.constraints) {
      T* right = x + held.place.node.x + held.place.row;
      for (int i = 0; i < held.place.dimension; ++i) {
        T sum = b[held.place.lambda + i];
        for (int j = 0; j < held.place.a.dimension; ++j) sum = sum + *J++ * v[held.v_a + j];
        for (int j = 0; j < held.place.b.dimension; ++j) sum = sum + *J++ * v[held.v_b + j];
        right[i] = lack[held.place.lambda + i] = sum;
      }
    }
    lockstep::solve(NodeSpan{own.nodes}, numbers_[at(part)].blocks.data(), x);
    for (const PartBody& held : own.bodies) {
      for (int i = 0; i < held.dimension; ++i) v[held.v + i] = v[held.v + i] + x[held.node.x + i];
    }
    for (const PartConstraint& held : own.constraints) {
      const T* solved = x + held.place.node.x + held.place.row;
      for (int i = 0; i < held.place.dimension; ++i) {
        lambda[held.place.lambda + i] = lambda[held.place.lambda + i] + solved[i];
      }
    }
  }

  Multipliers value, rate;  // of each row, at the state last evaluated: phi, and J v + phi_t
  Multipliers b;            // what a solution takes back
  Multipliers lack;         // what a row lacked before its part was last corrected

 private:
  struct Numbers {
    std::vector<T> blocks, x, J;
  };

  template <class F>
  void evaluate(int part, const State& state, F&& f) {
    for (const PartConstraint& held : parts_[part].constraints) {
      mechanism_.constraint(held.constraint, [&](const ConstraintPlace&, const auto& evaluate) {
        const auto rows = evaluate(state.x.data(), state.v.data(), state.time);
        for (int i = 0; i < held.place.dimension; ++i) {
          value[held.place.lambda + i] = rows.value[at(i)];
          rate[held.place.lambda + i] = rows.velocity_error[at(i)];
        }
        f(held, rows);
      });
    }
  }

  [[no_unique_address]] MechanismMember<Mechanism> mechanism_;
  Parts<Mechanism, kMaxParts> parts_;
  std::vector<Numbers> numbers_;  // of each part
};

}  // namespace lockstep::host::methods
