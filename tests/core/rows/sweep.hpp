// Gauss-Seidel with room of its own, for tests.
#pragma once

#include "lockstep/rows/gauss_seidel.hpp"

namespace lockstep::rows {

template <class T, int kMaxRows>
Status gauss_seidel(const System<T, kMaxRows>& system, const GaussSeidelOptions<T>& options,
                    Solution<T, kMaxRows>& solution) {
  static SchurComplement<T, kMaxRows> room;
  return gauss_seidel(system, options, room, solution);
}

}  // namespace lockstep::rows
