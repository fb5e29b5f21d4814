// Reaction wrenches beside what a joint's bearing and gear may carry, as catalogues state it: along
// the joint's axis, across it, tilting about axes across it, and the torque about it (of a sliding
// joint: all about and along its line of travel). The share is the largest quotient; at one the
// rating is reached.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>
#include <span>

#include "lockstep/border.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

template <class T>
struct JointLoad {
  T axial = std::numeric_limits<T>::infinity();    // N
  T radial = std::numeric_limits<T>::infinity();   // N
  T tilting = std::numeric_limits<T>::infinity();  // N m
  T torque = std::numeric_limits<T>::infinity();   // N m
};

// Of the wrench in a column of `reaction`, which is in link axes; z is the axis in B.
template <class T>
JointLoad<T> joint_load(const BodyData<T>& body, const T* reaction) {
  const Vec3<T> f = transpose_times(body.R_LB, Vec3<T>{reaction[0], reaction[1], reaction[2]});
  const Vec3<T> m = transpose_times(body.R_LB, Vec3<T>{reaction[3], reaction[4], reaction[5]});
  const auto size = [](const T& x) { return x < T(0) ? -x : x; };
  return {size(f.z), sqrt(f.x * f.x + f.y * f.y), sqrt(m.x * m.x + m.y * m.y), size(m.z)};
}

// A rating of zero or less, and a load that is no number, is a share of infinity.
template <class T>
T share_of(const JointLoad<T>& load, const JointLoad<T>& rating) {
  T most = T(0);
  const auto look = [&](const T& own, const T& allowed) {
    const T share =
        allowed > T(0) && is_finite(own) ? own / allowed : std::numeric_limits<T>::infinity();
    if (share > most) most = share;
  };
  look(load.axial, rating.axial), look(load.radial, rating.radial);
  look(load.tilting, rating.tilting), look(load.torque, rating.torque);
  return most;
}

template <class T>
struct HeaviestLoad {
  int body = kNone;  // none where nothing is rated or nothing acts
  T share = T(0);
};

// The body whose joint is nearest to its rating, or farthest beyond.
template <class T, class Wrenches>
HeaviestLoad<T> heaviest_load(std::span<const BodyData<T>> bodies, const Wrenches& reaction,
                              std::span<const JointLoad<T>> ratings) {
  HeaviestLoad<T> most;
  for (std::size_t i = 0; i < bodies.size() && i < ratings.size(); ++i) {
    const T share = share_of(joint_load(bodies[i], reaction.data() + 6 * i), ratings[i]);
    if (share > most.share) most = {static_cast<int>(i), share};
  }
  return most;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
