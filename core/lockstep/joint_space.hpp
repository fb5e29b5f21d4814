// The space of configurations: q (+) u is where a joint comes when it moves for a unit of time with
// the constant rate u, and q_to (-) q_from the rate that leads from one to the other. Ball, planar
// and floating joints move along screws, by the exponential map of SE(3) and its inverse.
// Murray, Li, Sastry 1994, section 2.3; Munthe-Kaas 1999 for `rate_along`.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <limits>
#include <numbers>

#include "lockstep/border.hpp"
#include "lockstep/joint.hpp"

namespace lockstep {

// A turn by an angle theta, as coefficients of the rotation vector w (theta = |w|).
template <class T>
struct TurnCoefficients {
  T a;  // sin(theta/2) / theta: w a is the vector of the quaternion
  T c;  // cos(theta/2): its scalar
  T theta2;

  // Smaller squares of an angle are nothing beside one.
  static constexpr NumberOf<T> kNegligible =
      std::numeric_limits<NumberOf<T>>::epsilon() * std::numeric_limits<NumberOf<T>>::epsilon();

  explicit TurnCoefficients(const Vec3<T>& w) : a(T(0.5)), c(T(1)), theta2(dot(w, w)) {
    const Truth<T> turns = theta2 > kNegligible;
    if (!any(turns)) return;
    const T theta = sqrt(theta2);
    T sine, cosine;
    sincos(theta * T(0.5), sine, cosine);
    a = select(turns, T(sine / theta), a);
    c = select(turns, cosine, c);
  }
  // For an x that vanishes with theta^2 and loses digits by it: the cross products that the
  // quotient meets are as small as theta^2 again.
  T over_theta2(const T& x) const { return select(theta2 > kNegligible, T(x / theta2), T(0)); }
};

// Where the origin of B comes, in B's axes at the start, when B moves with (l, w) for a unit of
// time: l + (1 - cos theta)/theta^2 w x l + (theta - sin theta)/theta^3 w x (w x l).
template <class T>
Vec3<T> screw_displacement(const TurnCoefficients<T>& turn, const Vec3<T>& l, const Vec3<T>& w) {
  const Vec3<T> wl = cross(w, l);
  const T second = T(2) * turn.a * turn.a;
  const T third = turn.over_theta2(T(1) - T(2) * turn.a * turn.c);
  return l + second * wl + third * cross(w, wl);
}

// The linear rate l that leads there: p - w x p/2 + (1 - theta/2 cot(theta/2))/theta^2 w x (w x p).
template <class T>
Vec3<T> screw_rate(const TurnCoefficients<T>& turn, const Vec3<T>& p, const Vec3<T>& w) {
  const Vec3<T> wp = cross(w, p);
  const T third = turn.over_theta2(T(1) - turn.c / (T(2) * turn.a));
  return p - T(0.5) * wp + third * cross(w, wp);
}

// The angle in a quarter turn whose sine and cosine are s and c, up to a common factor near one.
// s cos(x) - c sin(x) is the sine of what x lacks, so each step leaves a sixth of the third power
// of the error: 0.08, 1e-4, 1e-13, rounding.
template <class T>
T quarter_turn_angle(const T& s, const T& c) {
  T angle = s / (s + c) * (std::numbers::pi_v<T> * T(0.5));
  for (int i = 0; i < 3; ++i) {
    T sine, cosine;
    sincos(angle, sine, cosine);
    angle = angle + (s * cosine - c * sine);
  }
  return angle;
}

// The rotation vector, at most half a turn long, that leads from one quaternion to another.
template <class T>
Vec3<T> rotation_between(const T* from, const T* to) {
  const Vec3<T> a = {from[0], from[1], from[2]}, b = {to[0], to[1], to[2]};
  const Vec3<T> vector = from[3] * b - to[3] * a - cross(a, b);
  const T scalar = from[3] * to[3] + dot(a, b);
  const T s = sqrt(dot(vector, vector)), c = scalar < T(0) ? -scalar : scalar;
  const T sign = scalar < T(0) ? T(-2) : T(2);
  if (!(s > TurnCoefficients<T>::kNegligible)) return (sign / c) * vector;
  const T length = sqrt(s * s + c * c);
  return (sign * quarter_turn_angle(s / length, c / length) / s) * vector;
}

// from, turned by the rotation vector w of its own axes; of length one.
template <class T>
void turn_quaternion(const T* from, const TurnCoefficients<T>& turn, const Vec3<T>& w, T* to) {
  const Vec3<T> a = {from[0], from[1], from[2]}, b = turn.a * w;
  const T scalar = from[3] * turn.c - dot(a, b);
  const Vec3<T> vector = from[3] * b + turn.c * a + cross(a, b);
  const T shrink = T(1) / sqrt(dot(vector, vector) + scalar * scalar);
  to[0] = shrink * vector.x, to[1] = shrink * vector.y, to[2] = shrink * vector.z;
  to[3] = shrink * scalar;
}

// The angle less the nearest number of whole turns, pi/2 in the parts that trig.hpp explains.
template <class T>
constexpr T without_turns(const T& angle) {
  using K = TrigConstants<NumberOf<T>>;
  const T turns = (angle * (K::kTwoOverPi / NumberOf<T>(4)) + K::kRound) - K::kRound;
  const T k = turns * T(4);
  return ((angle - k * K::kHalfPi[0]) - k * K::kHalfPi[1]) - k * K::kHalfPi[2] - k * K::kHalfPi[3];
}

// A joint may spin on for ever. What is beyond even kMaxAngle stays, for the border to refuse.
template <class T>
constexpr T wind_back(const T& angle) {
  const Truth<T> near = is_within(angle, T(kMaxAngle<T> / NumberOf<T>(2)));
  if (all(near)) return angle;
  const Truth<T> exact = is_within(angle, T(kMaxAngle<T>));
  return select(near, angle, select(exact, without_turns(angle), angle));
}

// q (+) dt v for one joint; `to` may be `q`. A turn too long for sine and cosine is told to the
// border.
template <JointType kJoint, class T>
void add_motion(const T* q, const T* v, const T& dt, T* to, Border<T>& border) {
  std::array<T, dof_count(kJoint)> u;
  unroll<dof_count(kJoint)>([&](auto k) { u[k()] = dt * v[k()]; });
  if constexpr (kJoint == JointType::kRevolute) {
    to[0] = wind_back(q[0] + u[0]);
  } else if constexpr (kJoint == JointType::kPrismatic) {
    to[0] = q[0] + u[0];
  } else if constexpr (kJoint == JointType::kBall) {
    const Vec3<T> w = {u[0], u[1], u[2]};
    const TurnCoefficients<T> turn(w);
    border.small &= turn.theta2 <= kMaxAngle<T> * kMaxAngle<T>;
    turn_quaternion(q, turn, w, to);
  } else if constexpr (kJoint == JointType::kPlanar) {
    const Vec3<T> w = {T(0), T(0), u[2]};
    TurnZ<T> R_JB;
    sincos(q[2], R_JB.s, R_JB.c);
    const Vec3<T> p =
        R_JB * screw_displacement(TurnCoefficients<T>(w), Vec3<T>{u[0], u[1], T(0)}, w);
    to[0] = q[0] + p.x, to[1] = q[1] + p.y;
    to[2] = wind_back(q[2] + u[2]);
  } else {
    const Vec3<T> w = {u[3], u[4], u[5]};
    const TurnCoefficients<T> turn(w);
    border.small &= turn.theta2 <= kMaxAngle<T> * kMaxAngle<T>;
    const Vec3<T> p =
        quaternion_rotation(q + 3) * screw_displacement(turn, Vec3<T>{u[0], u[1], u[2]}, w);
    to[0] = q[0] + p.x, to[1] = q[1] + p.y, to[2] = q[2] + p.z;
    turn_quaternion(q + 3, turn, w, to + 3);
  }
}

// q_to (-) q_from for one joint. A revolute joint keeps its whole turns, the others go the short
// way round.
template <JointType kJoint, class T>
void subtract_motion(const T* from, const T* to, T* u) {
  if constexpr (kJoint == JointType::kRevolute || kJoint == JointType::kPrismatic) {
    u[0] = to[0] - from[0];
  } else if constexpr (kJoint == JointType::kBall) {
    const Vec3<T> w = rotation_between(from, to);
    u[0] = w.x, u[1] = w.y, u[2] = w.z;
  } else if constexpr (kJoint == JointType::kPlanar) {
    const Vec3<T> w = {T(0), T(0), without_turns(to[2] - from[2])};
    TurnZ<T> R_JB;
    sincos(from[2], R_JB.s, R_JB.c);
    const Vec3<T> p = transpose_times(R_JB, Vec3<T>{to[0] - from[0], to[1] - from[1], T(0)});
    const Vec3<T> l = screw_rate(TurnCoefficients<T>(w), p, w);
    u[0] = l.x, u[1] = l.y, u[2] = w.z;
  } else {
    const Vec3<T> w = rotation_between(from + 3, to + 3);
    const Vec3<T> p = transpose_times(quaternion_rotation(from + 3),
                                      Vec3<T>{to[0] - from[0], to[1] - from[1], to[2] - from[2]});
    const Vec3<T> l = screw_rate(TurnCoefficients<T>(w), p, w);
    u[0] = l.x, u[1] = l.y, u[2] = l.z;
    u[3] = w.x, u[4] = w.y, u[5] = w.z;
  }
}

// How u changes while q (+) u moves with v: v + [u, v]/2 + [u, [u, v]]/12 but for terms of the
// fourth order in u. The bracket is V x W of twists; a joint's free motions are closed under it.
// u is time times `rate`, which the result replaces.
template <JointType kJoint, class T>
void rate_along(T* rate, const T& time, const T* v) {
  if constexpr (dof_count(kJoint) == 1) {
    rate[0] = v[0];
  } else {
    Spatial<T> U{}, V{};
    for_free_axes<kJoint>([&](auto k, auto axis) {
      U[axis] = time * rate[k()];
      V[axis] = v[k()];
    });
    const Spatial<T> once = cross_motion(U, V), twice = cross_motion(U, once);
    for_free_axes<kJoint>([&](auto k, auto axis) {
      rate[k()] = v[k()] + (T(0.5) * once[axis] + T(1.0 / 12) * twice[axis]);
    });
  }
}

// The same for a whole robot.
template <class View, class T>
void rates_along(const View& model, const T& time, const T* v, T* rate) {
  model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    rate_along<kJoint>(rate + body.v, time, v + body.v);
  });
}

// q (+) dt v for a whole robot; `to` may be `q`. kOk if the result is a configuration.
template <class View, class T>
StatusOf<T> add_motion(const View& model, const T* q, const T* v, const T& dt, T* to) {
  Border<T> border;
  model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    add_motion<kJoint>(q + body.q, v + body.v, dt, to + body.q, border);
    check_joint<kJoint>(to + body.q, border);
  });
  const Truth<T> finite = all_finite(to, model.counts().q);
  return each_lane<T>(
      [&](int lane) { return holds(finite, lane) ? border.status(lane) : Status::kOverflow; });
}

// q <- q (+) dt v. The model is a TableModel or a StaticModel<my_arm, T>. On any status but kOk, q
// is as it was.
template <class View, class Configs, class Dofs>
Status integrate(const View& model, Configs& q, const Dofs& v, typename Configs::Scalar dt) {
  using T = typename Configs::Scalar;
  const Counts counts = model.counts();
  if (q.size() != counts.q || v.size() != counts.v) return Status::kWrongSize;
  Border<T> border = check_configuration<T>(model, q.data());
  border.finite &= all_finite(v.data(), counts.v) && is_finite(dt);
  if (!border.passed()) return border.status(0);
  Configs moved = q;
  const Status status = add_motion(model, q.data(), v.data(), dt, moved.data());
  if (status == Status::kOk) q = moved;
  return status;
}

// The constant rate v that leads from one configuration to another in a unit of time. On any status
// but kOk, v is as it was.
template <class View, class Configs, class Dofs>
Status difference(const View& model, const Configs& from, const Configs& to, Dofs& v) {
  using T = typename Configs::Scalar;
  const Counts counts = model.counts();
  if (from.size() != counts.q || to.size() != counts.q || v.size() != counts.v) {
    return Status::kWrongSize;
  }
  for (const T* q : {from.data(), to.data()}) {
    const Border<T> border = check_configuration<T>(model, q);
    if (!border.passed()) return border.status(0);
  }
  Dofs rate = v;
  model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    subtract_motion<kJoint>(from.data() + body.q, to.data() + body.q, rate.data() + body.v);
  });
  if (!all_finite(rate.data(), counts.v)) return Status::kOverflow;
  v = rate;
  return Status::kOk;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
