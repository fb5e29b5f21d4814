// Forward dynamics with auxiliary rows, each of them an equality: anticipation around a solver of
// equalities, which takes O(k^3).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <type_traits>

#include "lockstep/auxiliary/model_rows.hpp"
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
    return run(in, nullptr, add_rows, as_they_are, out, forces);
  }
  template <class AddRows>
  [[nodiscard]] Status forward_dynamics(const Input& in, const Wrenches& external,
                                        AddRows&& add_rows, Output& out, Forces& forces) {
    return run(in, &external, add_rows, as_they_are, out, forces);
  }

  // With a model's rows (model_rows.hpp), of which those that yield push by their springs and
  // dampers. `errors` is room, a RowErrors; `external` may be null.
  template <class Rows, class Errors>
  [[nodiscard]] Status forward_dynamics(const Input& in, const Wrenches* external, const Rows& rows,
                                        Errors& errors, Output& out, Forces& forces) {
    const auto add = [&](Base& to) {
      return add_rows(to, this->model(), rows, in.q.data(), in.v.data(), errors);
    };
    const auto push = [&](System& system) {
      for_soft_rows<T>(rows, [&](int i, const SoftRows<T>& own) {
        rows::prescribe(system, i, own.force(errors.value(i), errors.rate(i)));
      });
    };
    return run(in, external, add, push, out, forces);
  }

 private:
  static void as_they_are(System&) {}

  template <class AddRows, class Soften>
  Status run(const Input& in, const Wrenches* external, AddRows& add_rows, const Soften& soften,
             Output& out, Forces& forces) {
    Status status = this->begin(in, external, {});
    if (status == Status::kOk) status = add_rows(*this);
    if (status == Status::kOk) status = this->anticipate(system_);
    if (status != Status::kOk) return status;
    soften(system_);
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
