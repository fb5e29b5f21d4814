// Random numbers without a state: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random
// numbers: as easy as 1, 2, 3"), a function of a counter and a key in integers. A sample is known
// by its step, channel and seed alone, so that a run can be entered anywhere, and a host and a chip
// draw the same. Cost: 20 multiplications of 32 bits.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstdint>

namespace lockstep {

using PhiloxWords = std::array<std::uint32_t, 4>;

constexpr PhiloxWords philox(PhiloxWords counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kM0 = 0xD2511F53u, kM1 = 0xCD9E8D57u;
  constexpr std::uint32_t kW0 = 0x9E3779B9u, kW1 = 0xBB67AE85u;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kM0 * counter[0], b = kM1 * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + kW0, key[1] + kW1};
  }
  return counter;
}

// Where samples come from.
struct NoiseKey {
  std::uint64_t seed = 0, step = 0;
};

// The sum of the eight halves of the words, less its mean: within +-262140, of the variance
// 8 (65536^2 - 1) / 12, and close to normal (Irwin and Hall): kurtosis 2.85, at most 4.9 standard
// deviations.
constexpr std::int32_t noise_sum(const NoiseKey& key, std::uint32_t channel) {
  const PhiloxWords words =
      philox({static_cast<std::uint32_t>(key.step), static_cast<std::uint32_t>(key.step >> 32),
              channel, 0},
             {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
  std::int32_t sum = -262140;
  for (const std::uint32_t word : words) {
    sum += static_cast<std::int32_t>(word & 0xFFFFu) + static_cast<std::int32_t>(word >> 16);
  }
  return sum;
}

// x with noise of the standard deviation sigma; with none, x bit for bit.
template <class T>
constexpr T add_noise(const T& x, const T& sigma, const NoiseKey& key, std::uint32_t channel) {
  if (sigma == T(0)) return x;
  constexpr T kUnit = T(1.8688123650118534e-5);  // sqrt(12 / (8 (65536^2 - 1)))
  return x + sigma * (kUnit * static_cast<T>(noise_sum(key, channel)));
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
