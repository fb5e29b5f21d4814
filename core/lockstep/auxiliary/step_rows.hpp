// The rows of one step, in velocities and impulses: each is what the tree needs of it (terms, bias)
// and what its velocity at the end of the step is held against (target, kind, bounds).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/auxiliary/anticipation.hpp"
#include "lockstep/auxiliary/bounded_settings.hpp"
#include "lockstep/auxiliary/step_result.hpp"

namespace lockstep {

template <class Solver, class View, class T, int kMaxRows>
class StepRows {
 public:
  using Term = auxiliary::Term<T>;
  using System = rows::System<T, kMaxRows>;

  // The solver has begun at this state.
  StepRows(Solver& solver, const View& model, const T* q, const T* v, const T& dt)
      : solver_(solver), model_(model), q_(q), v_(v), dt_(dt) {}

  const View& model() const { return model_; }
  const T& q(int body) const { return q_[model_.bodies()[at(body)].q]; }
  const T& v(int body) const { return v_[model_.bodies()[at(body)].v]; }
  auxiliary::BodyMotion<T> motion(int body) const { return solver_.motion(body); }
  bool has(int body) const { return body >= kWorld && body < model_.body_count(); }
  int size() const { return count_; }

  // The row's bounds are impulses.
  Status add(const RowKey& key, std::span<const Term> terms, const T& bias,
             const rows::RowBound<T>& row, const T& target) {
    if (const Status status = solver_.add(terms, bias); status != Status::kOk) return status;
    note(key, velocity_of(terms), row, target);
    return Status::kOk;
  }

  // On a joint of one coordinate.
  Status add_joint(const RowKey& key, int body, const T& coefficient, const rows::RowBound<T>& row,
                   const T& target) {
    const Term term = auxiliary::joint_term(model_.bodies()[at(body)].joint, body, 0, coefficient);
    return add(key, {&term, 1}, T(0), row, target);
  }

  // A row of the caller's own: its bounds are forces, `row.normal` counts own rows, `target` is its
  // velocity at the end of the step, or the least. Its force is mu K of the terms. With a
  // compliance 1 / (dt d + dt^2 k) and the target -k phi / (d + dt k) it is a spring k and a damper
  // d, as they are at the end of the step.
  Status add_own(std::span<const Term> terms, const T& bias, rows::RowBound<T> row = {},
                 const T& target = T(0)) {
    if (own_ == 0) first_own_ = count_;
    if (row.kind == rows::RowKind::kFriction) {
      if (row.normal < 0 || row.normal > own_) return Status::kBadConstraint;
      row.normal += first_own_;
    }
    row.lower = dt_ * row.lower;
    row.upper = dt_ * row.upper;
    if (!is_finite(target) || !is_finite(row.compliance)) return Status::kNotFinite;
    if (row.compliance < T(0)) return Status::kBadConstraint;
    return add({.of = RowOf::kOwn, .number = own_++}, terms, bias, row, target);
  }

  // A row that the solver has already.
  void note(const RowKey& key, const T& velocity, const rows::RowBound<T>& row, const T& target) {
    keys_[at(count_)] = key;
    velocity_[at(count_)] = velocity;
    kinds_[at(count_)] = row;
    target_[at(count_++)] = target;
  }

  // Row i of those yields.
  void yield(int i, const T& compliance, const T& target) {
    kinds_[at(i)].compliance = compliance;
    target_[at(i)] = target;
  }

  T velocity_of(std::span<const Term> terms) const {
    T sum(0);
    for (const Term& term : terms) {
      if (term.body == kWorld || term.side == auxiliary::Side::kForce) continue;
      if (!term.joint) {
        sum = sum + dot(term.value, motion(term.body).V);
        continue;
      }
      const BodyData<T>& body = model_.bodies()[at(term.body)];
      dispatch(body.joint, [&]<JointType kJoint>() {
        for_free_axes<kJoint>(
            [&](auto k, auto axis) { sum = sum + term.value[axis] * v_[body.v + k()]; });
      });
    }
    return sum;
  }

  // Turns A and b of accelerations into those of velocities less targets. The contacts' rows are
  // the last.
  Status to_impulses(std::span<const contact::Contact<T>> contacts,
                     const BoundedSettings<T>& settings, System& system) const {
    const int first = count_ - contact::kRowsOfContact * static_cast<int>(contacts.size());
    const Status status = contact::to_impulses<T>(
        contacts, first, velocity_, dt_, settings.contact, system,
        {settings.newton.softness, settings.newton.settling});
    for (int i = 0; status == Status::kOk && i < first; ++i) {
      system.rows[at(i)] = kinds_[at(i)];
      system.b[at(i)] = system.b[at(i)] - target_[at(i)];
      const T& yields = kinds_[at(i)].compliance;
      if (yields > T(0)) system.A[at(i)][at(i)] = system.A[at(i)][at(i)] + yields;
    }
    return status;
  }

  const std::array<RowKey, at(kMaxRows)>& keys() const { return keys_; }
  const T& velocity(int i) const { return velocity_[at(i)]; }
  const T& target(int i) const { return target_[at(i)]; }
  const rows::RowBound<T>& bound(int i) const { return kinds_[at(i)]; }

 private:
  Solver& solver_;
  const View& model_;
  const T *q_, *v_;
  T dt_;
  int count_ = 0, own_ = 0, first_own_ = 0;
  std::array<RowKey, at(kMaxRows)> keys_;
  std::array<rows::RowBound<T>, at(kMaxRows)> kinds_;
  rows::Values<T, kMaxRows> velocity_, target_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
