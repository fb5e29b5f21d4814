// Motion as a given function of time: a constraint of one row follows it (Follow), or B's x axis
// turns from A's x axis about A's z (FollowAngle). With `Both` a joint and its drive are one node:
// Both<Revolute<T>, FollowAngle<T, Sine<T>>>. A motion gives at(time); a user's own does the same.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"
#include "lockstep/trig.hpp"

namespace lockstep::constraint {

template <class T>
struct Target {
  T value, rate, acceleration;
};

template <class M, class T>
concept Motion = requires(const M& motion, T time) {
  { motion.at(time) } -> std::same_as<Target<T>>;
};

// start + rate t + acceleration t^2 / 2
template <class T>
struct Ramp {
  T start, rate, acceleration{};

  constexpr Target<T> at(const T& time) const {
    const T gained = acceleration * time;
    return {start + (rate + T(0.5) * gained) * time, rate + gained, acceleration};
  }
};

// middle + amplitude sin(frequency t + phase), the frequency in rad/s
template <class T>
struct Sine {
  T middle, amplitude, frequency, phase{};

  constexpr Target<T> at(const T& time) const {
    T s, c;
    sincos(frequency * time + phase, s, c);
    const T swing = amplitude * s;
    return {middle + swing, amplitude * frequency * c, -(frequency * frequency) * swing};
  }
};

// Both at once: what mechanism files can say.
template <class T>
struct Swing {
  Ramp<T> ramp;
  Sine<T> sine;

  constexpr Target<T> at(const T& time) const {
    const Target<T> r = ramp.at(time), s = sine.at(time);
    return {r.value + s.value, r.rate + s.rate, r.acceleration + s.acceleration};
  }
};

// phi(A, B) = motion(time)
template <FrameConstraint C, Motion<typename C::Scalar> M>
requires(C::kDimension == 1) struct Follow {
  using Scalar = typename C::Scalar;
  static constexpr int kDimension = 1;

  [[no_unique_address]] C constraint;
  M motion;

  constexpr Rows<Scalar, 1> rows(const FrameMotion<Scalar>& A, const FrameMotion<Scalar>& B,
                                 const Scalar& time) const {
    Rows<Scalar, 1> row = constraint.rows(A, B, time);
    const Target<Scalar> target = motion.at(time);
    row.value[0] = row.value[0] - target.value;
    row.phi_t[0] = row.phi_t[0] - target.rate;
    row.bias[0] = row.bias[0] - target.acceleration;
    return row;
  }
};

// The distance of the origins is motion(time): (|d|^2 - motion^2) / (2 length) = 0.
template <class T, Motion<T> M>
struct FollowDistance {
  using Scalar = T;
  static constexpr int kDimension = 1;

  T length;  // about that of the motion: turns the row into a length
  M motion;

  constexpr Status check() const { return detail::check_sizes({length}); }
  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T& time) const {
    const Target<T> s = motion.at(time);
    const Vec3<T> d = B.p - A.p, rate = B.v - A.v;
    const T scale = T(1) / length;
    Rows<T, 1> row;
    row.value[0] = T(0.5) * scale * (dot(d, d) - s.value * s.value);
    row.b[0].linear = scale * d;
    row.a[0].linear = -row.b[0].linear;
    row.phi_t[0] = -(scale * s.value * s.rate);
    row.bias[0] = scale * (dot(rate, rate) - s.rate * s.rate - s.value * s.acceleration);
    return row;
  }
};

// e . x_B = 0 with e = cos(angle) y_A - sin(angle) x_A: the sine of the angle that is lacking.
template <class T, Motion<T> M>
struct FollowAngle {
  using Scalar = T;
  static constexpr int kDimension = 1;

  M motion;

  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T& time) const {
    const Target<T> target = motion.at(time);
    T s, c;
    sincos(target.value, s, c);
    const Vec3<T> e = c * A.R.y - s * A.R.x;
    const Vec3<T> forward = c * A.R.x + s * A.R.y;  // de/d(angle) is its opposite
    const Vec3<T>& f = B.R.x;
    const Vec3<T> n = cross(e, f), f_rate = cross(B.w, f);
    const Vec3<T> w = A.w + target.rate * A.R.z;  // of e
    const Vec3<T> w_rate = target.acceleration * A.R.z + target.rate * cross(A.w, A.R.z);
    const Vec3<T> e_rate = cross(w, e);
    Rows<T, 1> row;
    row.value[0] = dot(e, f);
    row.a[0].angular = n;
    row.b[0].angular = -n;
    row.phi_t[0] = -(target.rate * dot(forward, f));
    row.bias[0] = dot(cross(w_rate, e) + cross(w, e_rate), f) + T(2) * dot(e_rate, f_rate) +
                  dot(e, cross(B.w, f_rate));
    return row;
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
