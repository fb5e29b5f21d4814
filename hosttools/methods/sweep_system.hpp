// The iterative method that Bender 2007 begins with: one constraint after the other is put right,
// as if it were the only one, with what those before it have done. A solve is one sweep over all of
// them, O(n) whether they form a tree or loops; the impulse stepper repeats it until its tolerance.
// How often depends on the mechanism: hundreds of sweeps for long chains and small tolerances.
#pragma once

#include "lockstep/rows/dense.hpp"
#include "methods/free_rows.hpp"

namespace lockstep::host::methods {

template <class Mechanism>
class SweepSystem : public FreeRows<Mechanism, Mechanism::kMaxTerms> {
 public:
  using Base = FreeRows<Mechanism, Mechanism::kMaxTerms>;
  using Base::Base;
  using typename Base::Solution;
  using typename Base::T;
  static constexpr bool kIsExact = false;

  Status factor() {
    int constraint = 0;
    this->mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      if (place.joins) return;
      const auto element = [&](int i, int j) {
        return this->response(place.lambda + i, place.lambda + j);
      };
      blocks_[at(constraint++)].factor(element, place.dimension, Base::kHeld);
    });
    return this->is_regular() ? Status::kOk : Status::kSingular;
  }

  Status solve(Solution& out) {
    if (out.lambda.size() != this->mechanism_.counts().lambda) return Status::kWrongSize;
    this->move_freely();
    int constraint = 0;
    this->mechanism_.constraints([&](const ConstraintPlace& place, const auto&) {
      if (place.joins) return;
      rows::Values<T, kMostRows> lacking, lambda;
      for (int i = 0; i < place.dimension; ++i) lacking[at(i)] = this->lack(place.lambda + i);
      blocks_[at(constraint++)].solve(lacking, lambda);
      for (int i = 0; i < place.dimension; ++i) {
        this->push(place.lambda + i, lambda[at(i)]);
        out.lambda[place.lambda + i] = lambda[at(i)];
      }
    });
    return this->take_motion(out);
  }

  static int redundant_rows() { return 0; }  // it settles them without being told

 private:
  static constexpr int kMostRows = 6;

  std::array<rows::SymmetricFactor<T, kMostRows>, at(Mechanism::kMostConstraints)> blocks_;
};

}  // namespace lockstep::host::methods
