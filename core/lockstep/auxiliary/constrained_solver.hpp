// Forward dynamics with auxiliary rows, each of them an equality: anticipation around a solver of
// equalities, which takes O(k^3).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <type_traits>

#include "lockstep/auxiliary/anticipation.hpp"
#include "lockstep/rows/equality.hpp"

namespace lockstep {

// Model, T and capacities as for Anticipation.
template <class Model, class T, int kMaxRows, int kMaxWorkingRows = 0, int kMaxTerms = 4 * kMaxRows>
class ConstrainedSolver : public Anticipation<Model, T, kMaxRows, kMaxWorkingRows, kMaxTerms> {
  using Base = Anticipation<Model, T, kMaxRows, kMaxWorkingRows, kMaxTerms>;

 public:
  using typename Base::Input;
  using typename Base::Output;
  using typename Base::System;
  using typename Base::Wrenches;
  using Forces = rows::Solution<T, kMaxRows>;
  using Base::Base;

  // All steps, every row an equality. `add_rows(*this)` adds them and returns a status.
  template <class AddRows>
  [[nodiscard]] Status forward_dynamics(const Input& in, AddRows&& add_rows, Output& out,
                                        Forces& forces) {
    return run(in, nullptr, add_rows, out, forces);
  }
  template <class AddRows>
  [[nodiscard]] Status forward_dynamics(const Input& in, const Wrenches& external,
                                        AddRows&& add_rows, Output& out, Forces& forces) {
    return run(in, &external, add_rows, out, forces);
  }

 private:
  template <class AddRows>
  Status run(const Input& in, const Wrenches* external, AddRows& add_rows, Output& out,
             Forces& forces) {
    Status status = this->begin(in, external, {});
    if (status == Status::kOk) status = add_rows(*this);
    if (status == Status::kOk) status = this->anticipate(system_);
    if (status != Status::kOk) return status;
    Forces solution;
    // rows that contradict each other have an answer too; their violation tells
    status = equalities_.solve(system_, solution);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    status = this->finish(solution.mu, out);
    if (status == Status::kOk) forces = solution;
    return status;
  }

  System system_;
  std::conditional_t<(kMaxWorkingRows > 0), rows::EqualitySolver<T, kMaxRows, rows::GeneralFactor>,
                     rows::EqualitySolver<T, kMaxRows>>
      equalities_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
