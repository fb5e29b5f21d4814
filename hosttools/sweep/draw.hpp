// Numbers of a sweep without a state: functions of the seed, the run and the quantity, in integers
// (Philox, lockstep/devices/noise.hpp), so that any thread and any machine draws the same.
#pragma once

#include <cstdint>

namespace lockstep::host::sweep {

// Whose number it is. `channel` is the quantity's place in the file.
struct DrawKey {
  std::uint64_t seed = 0, run = 0;
  std::uint32_t channel = 0;
};

double draw_uniform(const DrawKey& key);  // [0, 1)
double draw_normal(const DrawKey& key, double mean, double deviation);

// Where `index` goes in a permutation of 0 .. count - 1; key.run tells which permutation.
std::uint64_t permuted(const DrawKey& key, std::uint64_t index, std::uint64_t count);

}  // namespace lockstep::host::sweep
