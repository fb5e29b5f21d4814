#include "lockstep/trig.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "../support/exact_trig.hpp"
#include "lockstep/hash.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::kMaxAngle;
using lockstep::sincos;

namespace elsewhere {

// a scalar of another kind, which brings its own sincos
struct Degrees {
  double value;
};
inline void sincos(Degrees, Degrees& s, Degrees& c) {
  s = {90};
  c = {0};
}

}  // namespace elsewhere

namespace {

constexpr double kBound = 1;  // ulp; two are promised, trig_exhaustive measures 0.80

template <class T>
struct Pair {
  T s, c;
};

template <class T>
constexpr Pair<T> at(T x) {
  Pair<T> result{};
  sincos(x, result.s, result.c);
  return result;
}

template <class T>
auto bits(T x) {
  return std::bit_cast<typename lockstep::TrigConstants<T>::Bits>(x);
}

// The largest error met, with MPFR as the judge.
template <class T>
class Judge {
 public:
  void check(T x) {
    const auto [s, c] = at(x);
    exact_.set(static_cast<double>(x));
    worst_ = std::fmax(worst_, std::fmax(exact_.sine_ulps(s), exact_.cosine_ulps(c)));
  }
  double worst() const { return worst_; }

 private:
  lockstep::test::ExactTrig exact_;
  double worst_ = 0;
};

// All multiples of pi/4 up to 10^4 rad with their nearest neighbours on both sides.
template <class T>
double worst_around_multiples() {
  Judge<T> judge;
  for (unsigned long k = 1; k <= 12733; ++k) {
    const T nearest = static_cast<T>(lockstep::test::quarter_turns(k) / 2);
    T below = nearest, above = nearest;
    judge.check(nearest);
    for (int i = 0; i < 2; ++i) {
      below = std::nextafter(below, T(0));
      above = std::nextafter(above, kMaxAngle<T>);
      judge.check(below);
      judge.check(above);
    }
  }
  return judge.worst();
}

template <class T>
double worst_at_random(T largest, bool by_exponent) {
  Judge<T> judge;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<T> unit(0, 1);
  for (int i = 0; i < 20000; ++i) {
    const T u = unit(random);
    judge.check(by_exponent ? largest * std::exp2(-60 * u) : largest * (2 * u - 1));
  }
  return judge.worst();
}

// From the smallest denormal up to kMaxAngle: both ends of every binade.
template <class T>
double worst_over_binades() {
  Judge<T> judge;
  for (T x = std::numeric_limits<T>::denorm_min(); x < kMaxAngle<T>; x *= 2) {
    judge.check(x);
    judge.check(std::nextafter(x, T(0)));
    judge.check(std::nextafter(x, kMaxAngle<T>));
  }
  judge.check(kMaxAngle<T>);
  return judge.worst();
}

// Next to k pi/2 sine or cosine crosses zero with slope one: every step of x must show.
template <class T>
int flat_or_backward_steps() {
  int count = 0;
  for (unsigned long k = 1; k <= 6366; ++k) {
    T x = static_cast<T>(lockstep::test::quarter_turns(k));
    for (int i = 0; i < 8; ++i) x = std::nextafter(x, T(0));
    const T slope = k % 4 == 0 || k % 4 == 3 ? T(1) : T(-1);
    for (int i = 0; i < 16; ++i) {
      const T next = std::nextafter(x, kMaxAngle<T>);
      const T step = k % 2 == 0 ? at(next).s - at(x).s : at(next).c - at(x).c;
      count += step * slope > 0 ? 0 : 1;
      x = next;
    }
  }
  return count;
}

template <class T>
double worst_off_the_unit_circle() {
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto [s, c] = at(static_cast<T>(i) * T(0.1));
    const double square = static_cast<double>(s) * static_cast<double>(s) +
                          static_cast<double>(c) * static_cast<double>(c);
    worst = std::fmax(worst, std::fabs(square - 1));
  }
  return worst / static_cast<double>(std::numeric_limits<T>::epsilon());
}

// Angles without libm or <random>, so that every target walks through the same ones: of all sizes
// up to kMaxAngle, and multiples of pi/4.
template <class T, class Visit>
void for_fixed_angles(Visit visit) {
  std::uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const T x = static_cast<T>(static_cast<std::int32_t>(state >> 32)) * T(0x1p-31) * kMaxAngle<T>;
    visit(x);
    visit(x * T(0x1p-12));
    visit(x * T(0x1p-24));
    visit(static_cast<T>(i % 12000) * T(0.78539816339744830962));
  }
}

template <class T>
std::uint64_t hash_of_results() {
  lockstep::Hash hash;
  for_fixed_angles<T>([&hash](T x) {
    const auto [s, c] = at(x);
    hash.add(s);
    hash.add(c);
  });
  return hash.value();
}

template <class T>
int asymmetric_angles() {
  int count = 0;
  for_fixed_angles<T>([&count](T x) {
    const auto [s, c] = at(x);
    const auto [mirrored_s, mirrored_c] = at(-x);
    count += bits(mirrored_s) == bits(-s) && bits(mirrored_c) == bits(c) ? 0 : 1;
  });
  return count;
}

// Sixteen bytes of lanes, by the vector extension that gcc and clang share.
template <class T>
struct Lanes;
template <>
struct Lanes<float> {
  using Real [[gnu::vector_size(16)]] = float;
  using Bits [[gnu::vector_size(16)]] = std::uint32_t;
};
template <>
struct Lanes<double> {
  using Real [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::uint64_t;
};

template <class T>
int lanes_unlike_scalar() {
  using Real = typename Lanes<T>::Real;
  constexpr int kWidth = static_cast<int>(sizeof(Real) / sizeof(T));
  int count = 0;
  for_fixed_angles<T>([&count](T x) {
    Real angle, s, c;
    for (int i = 0; i < kWidth; ++i) angle[i] = x + static_cast<T>(i);
    lockstep::sincos_kernel<T, Real, typename Lanes<T>::Bits>(angle, s, c);
    for (int i = 0; i < kWidth; ++i) {
      const auto scalar = at(static_cast<T>(angle[i]));
      count += bits(scalar.s) == bits(T(s[i])) && bits(scalar.c) == bits(T(c[i])) ? 0 : 1;
    }
  });
  return count;
}

template <class T>
void check_specials() {
  using Limits = std::numeric_limits<T>;
  CHECK_TRUE(bits(at(T(0)).s) == bits(T(0)));
  CHECK_TRUE(bits(at(-T(0)).s) == bits(-T(0)));
  CHECK_TRUE(bits(at(T(0)).c) == bits(T(1)));
  CHECK_TRUE(bits(at(-T(0)).c) == bits(T(1)));
  CHECK_TRUE(bits(at(Limits::denorm_min()).s) == bits(Limits::denorm_min()));
  for (const T x : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    CHECK_TRUE(std::isnan(at(x).s));
    CHECK_TRUE(std::isnan(at(x).c));
  }
}

}  // namespace

TEST_GROUP(Trig){};

TEST(Trig, FloatKeepsItsBoundAroundMultiplesOfQuarterPi) {
  CHECK_COMPARE(worst_around_multiples<float>(), <=, kBound);
}

TEST(Trig, DoubleKeepsItsBoundAroundMultiplesOfQuarterPi) {
  CHECK_COMPARE(worst_around_multiples<double>(), <=, kBound);
}

TEST(Trig, FloatKeepsItsBoundAtRandomAngles) {
  CHECK_COMPARE(worst_at_random<float>(kMaxAngle<float>, false), <=, kBound);
  CHECK_COMPARE(worst_at_random<float>(3.15F, false), <=, kBound);
  CHECK_COMPARE(worst_at_random<float>(kMaxAngle<float>, true), <=, kBound);
}

TEST(Trig, DoubleKeepsItsBoundAtRandomAngles) {
  CHECK_COMPARE(worst_at_random<double>(kMaxAngle<double>, false), <=, kBound);
  CHECK_COMPARE(worst_at_random<double>(1e4, false), <=, kBound);
  CHECK_COMPARE(worst_at_random<double>(3.15, false), <=, kBound);
  CHECK_COMPARE(worst_at_random<double>(kMaxAngle<double>, true), <=, kBound);
}

TEST(Trig, EveryBinadeKeepsTheBoundDownToDenormals) {
  CHECK_COMPARE(worst_over_binades<float>(), <=, kBound);
  CHECK_COMPARE(worst_over_binades<double>(), <=, kBound);
}

// found by trig_exhaustive: they miss a multiple of pi/2 by 2^-27.8 and 2^-60.5
TEST(Trig, AnglesClosestToAMultipleOfHalfPiKeepTheBound) {
  Judge<float> in_float;
  in_float.check(0x1.f9cbe2p+7F);
  CHECK_COMPARE(in_float.worst(), <=, kBound);
  Judge<double> in_double;
  in_double.check(0x1.6c6cbc45dc8dep+5);
  CHECK_COMPARE(in_double.worst(), <=, kBound);
}

TEST(Trig, AnglesOfTenThousandRadiansAreSupported) {
  CHECK_COMPARE(kMaxAngle<float>, >=, 1e4F);
  CHECK_COMPARE(kMaxAngle<double>, >=, 1e4);
}

TEST(Trig, ZeroCrossingsAreStrictlyMonotone) {
  LONGS_EQUAL(0, flat_or_backward_steps<float>());
  LONGS_EQUAL(0, flat_or_backward_steps<double>());
}

TEST(Trig, ResultsLieOnTheUnitCircle) {
  CHECK_COMPARE(worst_off_the_unit_circle<float>(), <=, 2.0);
  CHECK_COMPARE(worst_off_the_unit_circle<double>(), <=, 2.0);
}

TEST(Trig, NegativeAnglesMirrorBitForBit) {
  LONGS_EQUAL(0, asymmetric_angles<float>());
  LONGS_EQUAL(0, asymmetric_angles<double>());
}

TEST(Trig, ZeroIsExactAndNanStaysNan) {
  check_specials<float>();
  check_specials<double>();
}

TEST(Trig, LanesGiveTheBitsOfTheScalar) {
  LONGS_EQUAL(0, lanes_unlike_scalar<float>());
  LONGS_EQUAL(0, lanes_unlike_scalar<double>());
}

TEST(Trig, AnotherScalarBringsItsOwnSincos) {
  const auto result = at(elsewhere::Degrees{7});
  CHECK_TRUE(result.s.value == 90);
}

TEST(Trig, TheCompilerCanEvaluateIt) {
  constexpr Pair<double> kOne = at(1.0);
  const Pair<double> computed = at(1.0);
  CHECK_TRUE(bits(kOne.s) == bits(computed.s) && bits(kOne.c) == bits(computed.c));
}

// the same on every compiler, optimization level and processor
TEST(Trig, BitsArePinned) {
  CHECK_EQUAL(0x272178cdde044d9cu, hash_of_results<float>());
  CHECK_EQUAL(0x9904085cdd04dc59u, hash_of_results<double>());
}
