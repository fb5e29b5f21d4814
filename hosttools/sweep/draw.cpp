#include "sweep/draw.hpp"

#include <bit>

#include "lockstep/devices/noise.hpp"

namespace lockstep::host::sweep {

namespace {

// The last word of the counter: add_noise has 0.
enum class Purpose : std::uint32_t { kUniform = 1, kPermutation = 2 };

PhiloxWords words_of(const DrawKey& key, Purpose purpose, std::uint32_t more = 0) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  return philox(
      {low(key.run), low(key.run >> 32) ^ more, key.channel, static_cast<std::uint32_t>(purpose)},
      {low(key.seed), low(key.seed >> 32)});
}

}  // namespace

double draw_uniform(const DrawKey& key) {
  const PhiloxWords words = words_of(key, Purpose::kUniform);
  const std::uint64_t bits = std::uint64_t{words[0]} << 32 | words[1];
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

double draw_normal(const DrawKey& key, double mean, double deviation) {
  return add_noise(mean, deviation, {.seed = key.seed, .step = key.run}, key.channel);
}

// A Feistel network over the next power of four, walked until it is below the count (Black and
// Rogaway 2002, "Ciphers with arbitrary finite domains").
std::uint64_t permuted(const DrawKey& key, std::uint64_t index, std::uint64_t count) {
  constexpr std::uint32_t kRounds = 6;
  const int half = (static_cast<int>(std::bit_width(count - 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      // a word of its own for each half and round: halves have 16 bits at most
      const auto more = static_cast<std::uint32_t>(right) << 8 | (round + 1);
      const std::uint64_t mixed = left ^ (words_of(key, Purpose::kPermutation, more)[0] & mask);
      left = right;
      right = mixed;
    }
    index = left << half | right;
  } while (index >= count);
  return index;
}

}  // namespace lockstep::host::sweep
