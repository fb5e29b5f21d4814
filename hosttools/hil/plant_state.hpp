// The state of a plant, on the target or in its twin: all that its future depends on.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace lockstep::host::hil {

template <class T>
struct PlantState {
  std::uint64_t step = 0;
  std::uint64_t hash = 0;  // over every q and v since the start
  std::vector<T> q, v, tau;
};

// Bits, not values: +0 and -0 differ, NaN equals itself.
template <class T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

}  // namespace lockstep::host::hil
