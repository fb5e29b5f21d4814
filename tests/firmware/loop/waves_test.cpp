#include "loop/waves.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lockstep/table_model.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Word = std::uint32_t;

template <class T>
struct Bench {
  using Waves = firmware::Waves<TableModel<T, 1>, T>;
  Bench(T offset, T amplitude, Word increment, Word phase) {
    waves.stop(1);
    waves.offset[0] = offset, waves.amplitude[0] = amplitude;
    waves.increment[0] = increment, waves.phase[0] = phase;
  }
  auto at(std::uint64_t step, T dt) const { return waves.at(0, step, dt); }
  Waves waves;
};

// The angle, exact but for the last multiplication.
long double radians(Word increment, Word phase, std::uint64_t step) {
  const std::uint64_t turns = (increment * step + phase) % (1ull << 32);  // 2^64 are whole turns
  return static_cast<long double>(turns) / 0x1p32L * 2 * std::numbers::pi_v<long double>;
}

template <class T>
void check_against_libm() {
  test::Random random(5);
  for (const std::uint64_t step : {0ull, 1ull, 1'000'000ull, 1ull << 40, (1ull << 40) + 12345}) {
    for (int i = 0; i < 200; ++i) {
      const auto increment = static_cast<Word>(random.bits()) >> random.below(31);
      const auto phase = static_cast<Word>(random.bits());
      const T offset = static_cast<T>(random.uniform(-3, 3)), dt = T(0.002);
      const T amplitude = static_cast<T>(random.uniform(-3, 3));
      const auto sample = Bench<T>(offset, amplitude, increment, phase).at(step, dt);
      const long double angle = radians(increment, phase, step);
      const long double omega = static_cast<std::int32_t>(increment) / 0x1p32L * 2 *
                                std::numbers::pi_v<long double> / static_cast<long double>(dt);
      const auto check = [&](long double exact, long double size, T computed) {
        // the angle, up to pi, is rounded to T
        const long double bound =
            8 * (1 + size) * static_cast<long double>(std::numeric_limits<T>::epsilon());
        CHECK_AT_MOST(static_cast<double>(bound),
                      static_cast<double>(std::abs(exact - static_cast<long double>(computed))),
                      "");
      };
      const long double a = static_cast<long double>(amplitude), swing = std::abs(a * omega);
      check(static_cast<long double>(offset) + a * std::sin(angle), 3, sample.value);
      check(a * omega * std::cos(angle), swing, sample.rate);
      check(-a * omega * omega * std::sin(angle), swing * std::abs(omega), sample.acceleration);
    }
  }
}

}  // namespace

TEST_GROUP(Waves){};

TEST(Waves, AgreeWithLibmAtEveryStep) {
  check_against_libm<float>();
  check_against_libm<double>();
}

TEST(Waves, RateAndAccelerationAreTheSlopes) {
  const double dt = 1e-3;
  for (const Word increment : {1'000'000u, 0u - 1'000'000u, 40'000'000u}) {
    const Bench<double> wave(0.3, 1.7, increment, 99);
    for (std::uint64_t step = 1; step < 2000; step += 37) {
      const auto before = wave.at(step - 1, dt), here = wave.at(step, dt),
                 after = wave.at(step + 1, dt);
      const double omega =
          static_cast<std::int32_t>(increment) * 0x1p-32 * 2 * std::numbers::pi / dt;
      const double error = omega * omega * dt * dt;  // of a central difference, relative
      CHECK_AT_MOST(error * std::abs(1.7 * omega),
                    std::abs((after.value - before.value) / (2 * dt) - here.rate), "rate");
      CHECK_AT_MOST(error * 1.7 * omega * omega,
                    std::abs((after.rate - before.rate) / (2 * dt) - here.acceleration),
                    "acceleration");
    }
  }
}

TEST(Waves, DoNotDriftHoweverLongTheyRun) {
  const Bench<float> wave(0.5f, 2, 123'456'789, 42);
  for (std::uint64_t step = 0; step < 100; ++step) {
    const auto first = wave.at(step, 1e-3f);
    for (const int power : {32, 40, 63}) {  // whole turns later
      const auto later = wave.at(step + (1ull << power), 1e-3f);
      CHECK_TRUE(first.value == later.value && first.rate == later.rate &&
                 first.acceleration == later.acceleration);
    }
  }
}

TEST(Waves, StandStillUntilTheyAreSet) {
  firmware::Waves<TableModel<double, 2>, double> waves;
  waves.stop(12);
  LONGS_EQUAL(12, waves.offset.size());
  for (int i = 0; i < 12; ++i) {
    const auto sample = waves.at(i, 77, 1e-3);
    CHECK_TRUE(sample.value == 0 && sample.rate == 0 && sample.acceleration == 0);
  }
}

TEST(Waves, MustBeFinite) {
  Bench<float> wave(1, 1, 1, 1);
  CHECK_TRUE(wave.waves.is_finite());
  wave.waves.offset[0] = std::numeric_limits<float>::infinity();
  CHECK_FALSE(wave.waves.is_finite());
  wave.waves.offset[0] = 0;
  wave.waves.amplitude[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(wave.waves.is_finite());
}
