#include "lockstep/devices/noise.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

using namespace lockstep;

TEST_GROUP(Noise){};

namespace {

void check_words(const PhiloxWords& expected, const PhiloxWords& counter,
                 std::array<std::uint32_t, 2> key) {
  const PhiloxWords words = philox(counter, key);
  for (std::size_t i = 0; i < 4; ++i) UNSIGNED_LONGS_EQUAL(expected[i], words[i]);
}

}  // namespace

// kat_vectors of Random123 1.14, philox4x32 with ten rounds
TEST(Noise, PhiloxHasThePublishedAnswers) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  check_words({0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, {0, 0, 0, 0}, {0, 0});
  check_words({0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}, {kOnes, kOnes, kOnes, kOnes},
              {kOnes, kOnes});
  check_words({0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
              {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0});
}

TEST(Noise, HasTheMomentsThatItSays) {
  double sum = 0, square = 0, fourth = 0, lagged = 0, across = 0, before = 0;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) {
    const NoiseKey key = {.seed = 5, .step = static_cast<std::uint64_t>(i)};
    const double x = add_noise(0.0, 1.0, key, 3);
    sum += x, square += x * x, fourth += x * x * x * x, lagged += x * before;
    across += x * add_noise(0.0, 1.0, key, 4);
    before = x;
  }
  DOUBLES_EQUAL(0, sum / kCount, 0.01);
  DOUBLES_EQUAL(1, square / kCount, 0.01);
  DOUBLES_EQUAL(3 - 1.2 / 8, fourth / kCount, 0.05);
  DOUBLES_EQUAL(0, lagged / kCount, 0.01);
  DOUBLES_EQUAL(0, across / kCount, 0.01);
}

TEST(Noise, SeedStepAndChannelEachMakeAnotherSample) {
  const std::int32_t own = noise_sum({1, 2}, 3);
  LONGS_EQUAL(own, noise_sum({1, 2}, 3));
  CHECK_TRUE(own != noise_sum({2, 2}, 3));
  CHECK_TRUE(own != noise_sum({1, 3}, 3));
  CHECK_TRUE(own != noise_sum({1, 2}, 4));
  CHECK_TRUE(own != noise_sum({1 | std::uint64_t{1} << 40, 2}, 3));
  CHECK_TRUE(own != noise_sum({1, 2 | std::uint64_t{1} << 40}, 3));
}

TEST(Noise, NoneIsTheValueBitForBit) {
  CHECK_TRUE(std::signbit(add_noise(-0.0, 0.0, {}, 0)));
  CHECK_EQUAL(0.1f, add_noise(0.1f, 0.0f, {}, 0));
}
