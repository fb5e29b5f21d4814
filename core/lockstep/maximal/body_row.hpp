// One row over the velocities of two bodies, or of one and the world: what a force along it pushes,
// and how fast it moves. For rows beyond the forest: loops, bounds, contacts.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/factor.hpp"
#include "lockstep/maximal/body.hpp"

namespace lockstep::maximal {

template <class T>
struct BodyRow {
  struct End {
    int node = kNone;   // the body's, in Forward order; none at the world
    int x = 0, v = 0;   // where the body's velocities are, among the unknowns and in a state
    int dimension = 0;  // none at the world
    std::array<T, at(lockstep::detail::kMaxColumns)> J;
  };
  std::array<End, 2> ends;

  // Over unknowns.
  constexpr void push(const T& mu, T* x) const {
    for (const End& end : ends) {
      for (int i = 0; i < end.dimension; ++i) x[end.x + i] = x[end.x + i] + mu * end.J[at(i)];
    }
  }

  // Over a state's velocities.
  template <class Velocities>
  constexpr T rate_of(const Velocities& v) const {
    T sum(0);
    for (const End& end : ends) {
      for (int i = 0; i < end.dimension; ++i) sum = sum + end.J[at(i)] * v[end.v + i];
    }
    return sum;
  }
  template <class Velocities>
  constexpr void add_force(const T& mu, Velocities& force) const {
    for (const End& end : ends) {
      for (int i = 0; i < end.dimension; ++i) {
        force[end.v + i] = force[end.v + i] + mu * end.J[at(i)];
      }
    }
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
