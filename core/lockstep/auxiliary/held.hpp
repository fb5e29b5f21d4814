// What tells a row that the tree holds by itself, whose response is rounding, from one that moves.
#pragma once

#include <span>

#include "lockstep/body_data.hpp"

namespace lockstep::auxiliary {

// `scale` is what a row's response to itself, `own`, would be if no direction were held. The share
// is the square of what is left of the row's force.
template <class T>
constexpr bool is_held(const T& own, const T& scale) {
  constexpr double kShare = sizeof(T) == sizeof(float) ? 1e-8 : 1e-10;
  return own <= T(kShare) * scale;
}

// m^2: the mean square of a robot's lengths, to weigh forces against moments.
template <class T>
constexpr T squared_gyration(std::span<const BodyData<T>> bodies) {
  T mass(0), moment(0);
  for (const BodyData<T>& body : bodies) {
    const T own = body.I.xx + body.I.yy + body.I.zz;
    mass = mass + body.mass;
    moment = moment + own + body.mass * dot(body.X_PJ.p, body.X_PJ.p);
  }
  return mass > T(0) ? T(moment / mass) : T(0);
}

}  // namespace lockstep::auxiliary
