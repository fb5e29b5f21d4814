// How far a state of a tree is from its loops and couplings: the rows' values and their rates, from
// the bodies' places and twists alone. One pass over the bodies.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <numbers>
#include <span>

#include "lockstep/auxiliary/closure.hpp"
#include "lockstep/auxiliary/model_rows.hpp"
#include "lockstep/integrate/settings.hpp"

namespace lockstep::auxiliary {

template <class View, class T, int kMaxRows>
class RowErrors {
 public:
  // At a state by itself. Rows as for ModelRows; q and v have been checked.
  template <class Rows>
  Status evaluate(const View& model, const Rows& rows, const T* q, const T* v) {
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      place<kJoint>(i, body, q + body.q, v + body.v);
    });
    count_ = 0;
    const Status status = rows.visit(
        [&](const auto& loop, int a, int b) {
          return close_loop(loop, a, motion(a), b, motion(b), T(0),
                            [&](const auto& row) { return append(row.value(), row.rate()); });
        },
        [&](std::span<const JointWeight<T>> weights, const T& offset) {
          return append_coupling(model, weights, offset, q, v);
        });
    return status == Status::kOk ? check() : status;
  }

  // From rows that are evaluated elsewhere, one after the other.
  void clear() { count_ = 0; }
  Status append(const T& value, const T& rate) {
    if (count_ >= kMaxRows) return Status::kTooManyRows;
    value_[at(count_)] = value;
    rate_[at(count_++)] = rate;
    return Status::kOk;
  }
  Status append_coupling(const View& model, std::span<const JointWeight<T>> weights,
                         const T& offset, const T* q, const T* v) {
    T value = -offset, rate(0), unit(0);
    for (const JointWeight<T>& weight : weights) {
      const BodyData<T>& body = model.bodies()[at(weight.body)];
      value = value + weight.coefficient * q[body.q];
      rate = rate + weight.coefficient * v[body.v];
      if (body.joint == JointType::kRevolute) unit = common_unit(unit, weight.coefficient);
    }
    return append(without_turns_of(unit, value), rate);
  }
  Status check() const {
    const bool finite = all_finite(value_.data(), count_) && all_finite(rate_.data(), count_);
    return finite ? Status::kOk : Status::kOverflow;
  }

  const T& value(int i) const { return value_[at(i)]; }  // m, rad, or a joint's coordinate
  const T& rate(int i) const { return rate_[at(i)]; }
  // Of rows that do not yield: those between `soft` ones.
  ConstraintErrors<T> largest(std::span<const SoftRows<T>> soft) const {
    ConstraintErrors<T> most = largest(0, soft.empty() ? count_ : soft[0].first);
    for (std::size_t i = 0; i < soft.size(); ++i) {
      const int first = soft[i].first + soft[i].count;
      most.raise(largest(first, i + 1 < soft.size() ? soft[i + 1].first : count_));
    }
    return most;
  }

 private:
  using Values = rows::Values<T, kMaxRows>;

  ConstraintErrors<T> largest(int first, int end) const {
    return {lockstep::largest(std::span(value_.data() + first, at(end - first))),
            lockstep::largest(std::span(rate_.data() + first, at(end - first)))};
  }

  template <JointType kJoint>
  void place(int i, const BodyData<T>& body, const T* q, const T* v) {
    JointPose<T> pose;
    set_pose<kJoint>(body.X_PJ, q, pose);
    const BodyMotion<T> parent = motion(body.parent);
    BodyMotion<T>& own = motions_[at(i)];
    own.X_WB = parent.X_WB * placement_of<kJoint>(body.X_PJ, pose);
    own.V = to_child<kJoint>(body.X_PJ, pose, parent.V);
    add_joint_motion<kJoint>(own.V, v);
  }

  BodyMotion<T> motion(int body) const {
    return body == kWorld ? BodyMotion<T>{identity<T>(), {}} : motions_[at(body)];
  }

  // The largest number of which both are multiples, by Euclid's algorithm; zero if none is within a
  // few thousandths of the larger one.
  static T common_unit(const T& first, const T& second) {
    T a = rows::magnitude(first), b = rows::magnitude(second);
    const T rounding = T(1e-4) * (a > b ? a : b), least = T(16) * rounding;
    for (int i = 0; i < 16 && b > rounding; ++i) {
      const T rest = rows::magnitude(T(a - nearest_whole(T(a / b)) * b));
      a = b, b = rest;
    }
    return a > least ? a : T(0);
  }

  // Joints that turn on and on are wound back by whole turns, which says nothing about the row: its
  // value counts up to as many turns of the coefficients' common unit.
  static T without_turns_of(const T& unit, const T& value) {
    if (!(unit > T(0))) return value;
    const T turns = nearest_whole(T(value / (unit * (T(2) * std::numbers::pi_v<T>))));
    return value - turns * unit * (T(2) * std::numbers::pi_v<T>);
  }

  int count_ = 0;
  Values value_, rate_;
  std::array<BodyMotion<T>, at(View::kMaxBodies)> motions_;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
