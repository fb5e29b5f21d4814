// A constraint between frames on two bodies of a tree, as auxiliary rows: the frames' motion from
// the bodies', and the rows' wrenches back into body frames, moments about the body's origin.
#pragma once

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
  Spatial<T> twist() const { return {frame_.v, frame_.w}; }

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

// Calls add(terms, bias) for each row; stops and returns what it returned if not kOk.
template <constraint::FrameConstraint C, class T, class Add>
Status close_loop(const constraint::Between<C>& loop, int a, const BodyMotion<T>& body_A, int b,
                  const BodyMotion<T>& body_B, const T& time, Add&& add) {
  const MovingFrame<T> A(body_A, loop.X_A), B(body_B, loop.X_B);
  const auto rows = loop.constraint.rows(A.frame(), B.frame(), time);
  for (std::size_t i = 0; i < rows.value.size(); ++i) {
    const std::array<Term<T>, 2> terms = {wrench_term(a, A.on_body(rows.a[i])),
                                          wrench_term(b, B.on_body(rows.b[i]))};
    const T bias = rows.bias[i] + (A.bias(rows.a[i]) + B.bias(rows.b[i]));
    if (const Status status = add(terms, bias); status != Status::kOk) return status;
  }
  return Status::kOk;
}

}  // namespace lockstep::auxiliary
