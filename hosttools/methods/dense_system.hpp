// Bender 2007, section 3: the impulses of all rows from one dense matrix, J M^-1 J^T (equation 5),
// which is built and factored anew at each state. Symmetric, so that it takes half of an LU's work;
// still O(k^3) in time and O(k^2) in room for k rows. Loops need no treatment of their own.
#pragma once

#include "lockstep/rows/dense.hpp"
#include "methods/free_rows.hpp"

namespace lockstep::host::methods {

template <class Mechanism, int kMaxRows = Mechanism::kMaxTerms>
class DenseSystem : public FreeRows<Mechanism, kMaxRows> {
 public:
  using Base = FreeRows<Mechanism, kMaxRows>;
  using Base::Base;
  using typename Base::Solution;
  using typename Base::T;
  static constexpr bool kIsExact = true;

  void soften(const SoftStep<T>& step) {
    compliance_.fill(T(0));
    SoftRows<Mechanism>::for_rows(this->mechanism_, [&](int row, const ConstraintPlace& place) {
      compliance_[at(row)] = T(1) / step.P(place.softness.template in<T>());
    });
  }
  Status factor() {
    const int count = this->mechanism_.counts().lambda;
    const auto element = [&](int i, int j) {
      const T own = this->response(i, j);
      return i == j && compliance_[at(i)] > T(0) ? own + compliance_[at(i)] : own;
    };
    redundant_ = count - factor_.factor(element, count, Base::kHeld);
    return this->is_regular() ? Status::kOk : Status::kSingular;
  }

  Status solve(Solution& out) {
    const int count = this->mechanism_.counts().lambda;
    this->move_freely();
    for (int i = 0; i < count; ++i) lacking_[at(i)] = this->lack(i);
    factor_.solve(lacking_, lambda_);
    for (int i = 0; i < count; ++i) this->push(i, lambda_[at(i)]);
    const Status status = this->take_motion(out);
    if (status != Status::kWrongSize) std::copy_n(lambda_.begin(), count, out.lambda.begin());
    return status;
  }

  // Rows that the others settle: they get no multiplier.
  int redundant_rows() const { return redundant_; }

 private:
  rows::SymmetricFactor<T, kMaxRows> factor_;
  rows::Values<T, kMaxRows> lacking_, lambda_, compliance_ = {};
  int redundant_ = 0;
};

}  // namespace lockstep::host::methods
