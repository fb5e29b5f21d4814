// What the kernels read of one body, in the scalar they compute with.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "lockstep/model.hpp"
#include "lockstep/spatial.hpp"

namespace lockstep {

template <class T>
struct BodyData {
  int parent;
  JointType joint;
  bool geared;                  // something turns with the joint
  std::int16_t leader = kNone;  // the body whose joint this one's follows
  int q, v, lambda;             // first index of this joint's coordinates, rates and multipliers
  Placement<T> X_PJ;
  Mat3<T> R_LB;
  T mass;
  Vec3<T> h;
  Sym3<T> inertia;
  T damping;
  T armature;
  Vec3<T> spin;
  T ratio = {};                 // v over the leader's
  T tied_inertia = {};          // the armature, and of followers
  T stiffness = {}, rest = {};  // of a spring at a joint of one coordinate
};

// Calls f for each of a body's scalars that travel, in their order: R_PJ and R_LB row by row.
// Springs, rotors and ties do not travel.
inline constexpr int kBodyScalars = 32;
template <class Data, class F>
constexpr void for_each_scalar(Data& body, F&& f) {
  const auto vector = [&](auto& a) { f(a.x), f(a.y), f(a.z); };
  const auto matrix = [&](auto& M) {
    f(M.x.x), f(M.y.x), f(M.z.x);
    f(M.x.y), f(M.y.y), f(M.z.y);
    f(M.x.z), f(M.y.z), f(M.z.z);
  };
  matrix(body.X_PJ.R), vector(body.X_PJ.p), matrix(body.R_LB);
  f(body.mass), vector(body.h);
  f(body.inertia.xx), f(body.inertia.xy), f(body.inertia.xz), f(body.inertia.yy),
      f(body.inertia.yz), f(body.inertia.zz);
  f(body.damping);
}

// Running sums over the bodies: where the next joint's numbers begin, and at last the totals.
struct Counts {
  int q = 0, v = 0, lambda = 0;

  constexpr void add(JointType joint) {
    q += config_count(joint);
    v += dof_count(joint);
    lambda += multiplier_count(joint);
  }
};

template <class T>
constexpr BodyData<T> to_body_data(const Body& body, const Counts& at) {
  const auto scalars = []<std::size_t kSize>(const std::array<double, kSize>& values) {
    std::array<T, kSize> result{};
    for (std::size_t i = 0; i < kSize; ++i) result[i] = static_cast<T>(values[i]);
    return result;
  };
  const auto p = scalars(body.p_PJ), h = scalars(body.h), spin = scalars(body.spin);
  const auto I_B = scalars(body.inertia);
  return {.parent = body.parent,
          .joint = body.joint,
          .geared = body.armature != 0 || body.leads,
          .leader = static_cast<std::int16_t>(body.tie.leader),
          .q = at.q,
          .v = at.v,
          .lambda = at.lambda,
          .X_PJ = {Mat3<T>::from_rows(scalars(body.R_PJ)), {p[0], p[1], p[2]}},
          .R_LB = Mat3<T>::from_rows(scalars(body.R_LB)),
          .mass = static_cast<T>(body.mass),
          .h = {h[0], h[1], h[2]},
          .inertia = {I_B[0], I_B[1], I_B[2], I_B[3], I_B[4], I_B[5]},
          .damping = static_cast<T>(body.damping),
          .armature = static_cast<T>(body.armature),
          .spin = {spin[0], spin[1], spin[2]},
          .ratio = static_cast<T>(body.tie.ratio),
          .tied_inertia = static_cast<T>(body.armature + body.followed),
          .stiffness = static_cast<T>(body.stiffness),
          .rest = static_cast<T>(body.rest)};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
