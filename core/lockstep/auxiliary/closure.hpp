// A constraint between frames on two bodies of a tree, as auxiliary rows: the frames' motion from
// the bodies', and the rows' wrenches back into body frames, moments about the body's origin.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/auxiliary/factored_tree.hpp"
#include "lockstep/constraint/constraint.hpp"

namespace lockstep::auxiliary {

template <class T>
class MovingFrame {
 public:
  MovingFrame(const BodyMotion<T>& body, const Placement<T>& X_BF)
      : R_WB_(body.X_WB.R), arm_(X_BF.p) {
    const Vec3<T>& w = body.V.angular;
    const Vec3<T> v = body.V.linear + cross(w, arm_);
    frame_ = {body.X_WB.p + R_WB_ * arm_, R_WB_ * X_BF.R, R_WB_ * v, R_WB_ * w};
    // the body's acceleration is the rate of its twist's components; the axes turn as well
    turning_ = R_WB_ * cross(w, v);
  }

  const constraint::FrameMotion<T>& frame() const { return frame_; }

  // A wrench at the frame's origin along world axes, on the body.
  Spatial<T> on_body(const Spatial<T>& wrench) const {
    const Vec3<T> force = transpose_times(R_WB_, wrench.linear);
    return {force, transpose_times(R_WB_, wrench.angular) + cross(arm_, force)};
  }
  // What the frame's turning adds to the acceleration along a wrench.
  T bias(const Spatial<T>& wrench) const { return dot(wrench.linear, turning_); }

 private:
  Mat3<T> R_WB_;
  Vec3<T> arm_, turning_;
  constraint::FrameMotion<T> frame_;
};

// One row of a loop that was evaluated: what the tree needs of it, and how far it is off.
template <class Rows, class T>
struct LoopRow {
  const Rows& rows;
  int i;
  int a, b;  // bodies
  const MovingFrame<T>&A, &B;

  std::array<Term<T>, 2> terms() const {
    return {wrench_term(a, A.on_body(rows.a[at(i)])), wrench_term(b, B.on_body(rows.b[at(i)]))};
  }
  T bias() const { return rows.bias[at(i)] + (A.bias(rows.a[at(i)]) + B.bias(rows.b[at(i)])); }
  T value() const { return rows.value[at(i)]; }
  T rate() const { return constraint::rate_of(rows, i, A.frame(), B.frame()); }
};

// Calls add(row) for each row; stops and returns what it returned if not kOk. The loop is a
// Between, or an AnyConstraint.
template <class Loop, class T, class Add>
Status close_loop(const Loop& loop, int a, const BodyMotion<T>& body_A, int b,
                  const BodyMotion<T>& body_B, const T& time, Add&& add) {
  const MovingFrame<T> A(body_A, loop.X_A), B(body_B, loop.X_B);
  const auto rows = loop.rows(A.frame(), B.frame(), time);
  for (int i = 0; i < rows.size(); ++i) {
    const Status status = add(LoopRow<decltype(rows), T>{rows, i, a, b, A, B});
    if (status != Status::kOk) return status;
  }
  return Status::kOk;
}

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
