// A floating body's share of a semi-implicit Euler step, without what body axes would do to it.
// Taken at the start of a step, the terms w x I w and w x v of axes that turn pump energy in,
// (w dt)^2 / 2 of it a step. Here Euler's equation has them at the step's middle (Catto 2015; by
// the midpoint rule, which keeps w . I w and |I w|), and the centre of mass goes straight on.
// Of the floating body alone: what its limbs do to it is still of the start.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/joint_space.hpp"

namespace lockstep {

// The inertia about the centre of mass.
template <class T>
constexpr Sym3<T> central_inertia(const BodyData<T>& body) {
  const Vec3<T>& h = body.h;
  const T share = body.mass > T(0) ? T(1) / body.mass : T(0);
  const T xx = share * h.x * h.x, yy = share * h.y * h.y, zz = share * h.z * h.z;
  const Sym3<T>& I_B = body.inertia;
  return {I_B.xx - (yy + zz), I_B.xy + share * h.x * h.y, I_B.xz + share * h.x * h.z,
          I_B.yy - (xx + zz), I_B.yz + share * h.y * h.z, I_B.zz - (xx + yy)};
}

// w_m x I w_m - w x I w, with w_m the mean of a free body's angular velocities over a step,
//     I (w_m - w) + dt/2 w_m x I w_m = 0,
// by Newton's method. Zero where it does not lead there: the body turns by radians in a step.
template <class T>
constexpr Vec3<T> moment_of_middle(const Sym3<T>& I_C, const Vec3<T>& w, const T& dt) {
  constexpr int kPasses = 3;
  const T half = T(0.5) * dt;
  const Vec3<T> L = I_C * w, start = cross(w, L);
  const auto missing = [&](const Vec3<T>& middle) {
    const Vec3<T> L_m = I_C * middle;
    return L_m - L + half * cross(middle, L_m);
  };
  Vec3<T> w_m = w, miss = half * start;
  const T first = dot(miss, miss);
  for (int i = 0; i < kPasses; ++i) {
    const Vec3<T> L_m = I_C * w_m;
    const auto column = [&](const Vec3<T>& axis) {
      const Vec3<T> own = I_C * axis;
      return own + half * (cross(w_m, own) - cross(L_m, axis));
    };
    const T o(0), one(1);
    const Vec3<T> a = column({one, o, o}), b = column({o, one, o}), c = column({o, o, one});
    const Vec3<T> bc = cross(b, c);
    const T volume = dot(a, bc);
    if (!(volume > o)) return {};
    const T share = one / volume;
    w_m = w_m - share * Vec3<T>{dot(miss, bc), dot(miss, cross(c, a)), dot(miss, cross(a, b))};
    miss = missing(w_m);
  }
  if (!(dot(miss, miss) <= first)) return {};
  return cross(w_m, I_C * w_m) - start;
}

// Whether a model may have floating bodies.
template <class View>
constexpr bool may_float() {
  if constexpr (View::kIsStatic) {
    bool any = false;
    for (const auto& body : View::bodies()) any = any || body.joint == JointType::kFloating;
    return any;
  }
  return true;
}

template <class View, class F>
constexpr void for_floating(const View& model, F&& f) {
  int i = 0;
  for (const auto& body : model.bodies()) {
    if (body.joint == JointType::kFloating) f(i, body);
    ++i;
  }
}

// Adds what makes a step's velocity terms those of the middle to the efforts of floating bodies.
template <class View, class T>
constexpr void add_moments_of_middle(const View& model, const T* v, const T& dt, T* effort) {
  for_floating(model, [&](int, const BodyData<T>& body) {
    if (body.parent != kWorld) return;
    const T* w = v + body.v + 3;
    const Vec3<T> moment = moment_of_middle(central_inertia(body), {w[0], w[1], w[2]}, dt);
    T* own = effort + body.v + 3;
    own[0] = own[0] - moment.x, own[1] = own[1] - moment.y, own[2] = own[2] - moment.z;
  });
}

// After next_v = v + dt vdot and next_q = q (+) dt next_v: the centre of mass goes straight on.
template <class View, class T>
constexpr void go_straight(const View& model, const T* q, const T* v, const T& dt, T* next_q,
                           T* next_v) {
  const auto vector = [](const T* a) { return Vec3<T>{a[0], a[1], a[2]}; };
  for_floating(model, [&](int, const BodyData<T>& body) {
    const T *from = q + body.q, *start = v + body.v;
    T *to = next_q + body.q, *end = next_v + body.v;
    const Vec3<T> c = body.mass > T(0) ? (T(1) / body.mass) * body.h : Vec3<T>{};
    const Vec3<T> w = vector(start + 3), next_w = vector(end + 3);
    const Vec3<T> turned = cross(w, vector(start) + cross(w, c));
    const Mat3<T> R = quaternion_rotation(from + 3), next_R = quaternion_rotation(to + 3);
    const Vec3<T> v_P = R * (vector(end) + cross(next_w, c) + dt * turned);
    const Vec3<T> p = vector(from) + (R * c + dt * v_P) - next_R * c;
    const Vec3<T> v_B = transpose_times(next_R, v_P) - cross(next_w, c);
    to[0] = p.x, to[1] = p.y, to[2] = p.z;
    end[0] = v_B.x, end[1] = v_B.y, end[2] = v_B.z;
  });
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
