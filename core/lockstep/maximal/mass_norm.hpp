// Velocities as the mass matrix measures them: twice their kinetic energy.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/state.hpp"

namespace lockstep::maximal {

// v^T M v at poses x, of v(i), i counting the velocities of all bodies.
template <class Mechanism, class F>
typename Mechanism::Scalar mass_norm2(const Mechanism& mechanism, const PosesOf<Mechanism>& x,
                                      F&& v) {
  using T = typename Mechanism::Scalar;
  T sum(0);
  mechanism.bodies([&]<class B>(const B& body, const BodyPlace& place) {
    const auto M = body.mass_matrix(load<typename B::Pose>(x.data() + place.x));
    for (int i = 0; i < B::kDimension; ++i) {
      T momentum(0);
      for (int j = 0; j < B::kDimension; ++j) {
        momentum = momentum + M[at(i)][at(j)] * v(place.v + j);
      }
      sum = sum + v(place.v + i) * momentum;
    }
  });
  return sum;
}

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
