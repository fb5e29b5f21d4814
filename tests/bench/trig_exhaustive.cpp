// How wrong sincos gets: every float up to kMaxAngle, and doubles at random and around every
// multiple of pi/2 up to kMaxAngle. The judge is libm in the next wider type, 2^11 times finer or
// more; MPFR judges the judge, on a sample and wherever it sees a new worst case.
//   trig_exhaustive [random doubles, 1e8 unless told]
// Takes about four minutes. Exit code 1 if a result is off by more than 1 ulp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "../support/exact_trig.hpp"
#include "lockstep/trig.hpp"

namespace {

constexpr double kBound = 1;         // ulp
constexpr double kJudgement = 2e-3;  // ulp: what the judge may be off

// T is judged in Wide.
template <class T, class Wide>
class Measurement {
 public:
  void check(T x) {
    T s, c;
    lockstep::sincos(x, s, c);
    const Wide sine = std::sin(static_cast<Wide>(x)), cosine = std::cos(static_cast<Wide>(x));
    const double s_error = ulps(s, sine), c_error = ulps(c, cosine);
    const bool s_worst = sine_.update(s_error, x), c_worst = cosine_.update(c_error, x);
    if (++count_ % kSampling == 0 || s_worst || c_worst) confirm(x, s, c, s_error, c_error);
    // the smaller result tells how close x comes to a multiple of pi/2
    const Wide distance = std::fmin(std::fabs(sine), std::fabs(cosine));
    if (x > 1) closest_.update(-static_cast<double>(distance), x);
  }

  bool report(const char* title) const {
    std::printf("\r%-40s %.3g angles, %ld confirmed by MPFR\n", title, static_cast<double>(count_),
                confirmed_);
    std::printf("  sin %.3f ulp at %a, cos %.3f ulp at %a\n", sine_.value,
                static_cast<double>(sine_.at), cosine_.value, static_cast<double>(cosine_.at));
    std::printf("  closest to a multiple of pi/2: %a, by 2^%.1f\n",
                static_cast<double>(closest_.at), std::log2(-closest_.value));
    if (disagreements_ > 0) std::printf("  MPFR contradicts libm %ld times\n", disagreements_);
    return disagreements_ == 0 && sine_.value <= kBound && cosine_.value <= kBound;
  }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr long kSampling = 1000;

  struct Largest {
    double value;
    T at;
    bool update(double candidate, T x) {
      const bool larger = !(candidate <= value);  // NaN counts
      if (larger) *this = {candidate, x};
      return larger;
    }
  };

  static double ulps(T computed, Wide exact) {
    if (exact == 0) return computed == 0 ? 0 : HUGE_VAL;
    const int exponent = std::max(std::ilogb(exact) + 1, Limits::min_exponent);
    return static_cast<double>(
        std::fabs(std::scalbn(static_cast<Wide>(computed) - exact, Limits::digits - exponent)));
  }

  void confirm(T x, T s, T c, double s_error, double c_error) {
    exact_.set(static_cast<double>(x));
    const bool agree = std::fabs(exact_.sine_ulps(s) - s_error) < kJudgement &&
                       std::fabs(exact_.cosine_ulps(c) - c_error) < kJudgement;
    disagreements_ += agree ? 0 : 1;
    ++confirmed_;
  }

  lockstep::test::ExactTrig exact_;
  Largest sine_ = {0, 0}, cosine_ = {0, 0}, closest_ = {-1, 0};
  long count_ = 0, confirmed_ = 0, disagreements_ = 0;
};

void progress(const char* title, double part) {
  std::printf("\r%-40s %3.0f %%", title, 100 * part);
  std::fflush(stdout);
}

bool every_float() {
  constexpr const char* kTitle = "every float";
  const std::uint32_t last = std::bit_cast<std::uint32_t>(lockstep::kMaxAngle<float>);
  Measurement<float, double> measurement;
  // downward: the errors of tiny angles grow with the angle, each a new worst case for MPFR
  for (std::uint32_t i = 0; i <= last; ++i) {
    if (i % (1u << 22) == 0) progress(kTitle, static_cast<double>(i) / last);
    measurement.check(std::bit_cast<float>(last - i));
  }
  return measurement.report(kTitle);
}

bool multiples_in_double() {
  constexpr const char* kTitle = "doubles around every multiple of pi/2";
  constexpr unsigned long kLast = 1ul << 24;
  Measurement<double, long double> measurement;
  for (unsigned long k = 1; k <= kLast; ++k) {
    if (k % (1u << 17) == 0) progress(kTitle, static_cast<double>(k) / kLast);
    const double nearest = lockstep::test::quarter_turns(k);
    measurement.check(nearest);
    measurement.check(std::nextafter(nearest, 0.0));
    measurement.check(std::nextafter(nearest, HUGE_VAL));
  }
  return measurement.report(kTitle);
}

bool random_doubles(const char* title, long count, double largest, bool by_exponent) {
  std::mt19937_64 random(20240229);
  std::uniform_real_distribution<double> unit(0, 1);
  Measurement<double, long double> measurement;
  for (long i = 0; i < count; ++i) {
    if (i % (1l << 19) == 0) progress(title, static_cast<double>(i) / static_cast<double>(count));
    const double u = unit(random);
    measurement.check(by_exponent ? largest * std::exp2(-64 * u) : largest * (2 * u - 1));
  }
  return measurement.report(title);
}

}  // namespace

int main(int argc, char** argv) {
  const double wanted = argc > 1 ? std::atof(argv[1]) : 1e8;
  if (!(wanted >= 1 && wanted <= 1e12)) {
    std::fprintf(stderr, "trig_exhaustive: '%s': give the number of random doubles, 1 to 1e12\n",
                 argv[1]);
    return 1;
  }
  const long share = static_cast<long>(wanted / 4) + 1;
  constexpr double kLargest = lockstep::kMaxAngle<double>;
  bool good = every_float();
  good = multiples_in_double() && good;
  good = random_doubles("doubles, uniform up to kMaxAngle", share, kLargest, false) && good;
  good = random_doubles("doubles, uniform up to 1e4", share, 1e4, false) && good;
  good = random_doubles("doubles, uniform up to pi", share, 3.15, false) && good;
  good = random_doubles("doubles, uniform in the exponent", share, kLargest, true) && good;
  std::printf("%s: bound %g ulp\n", good ? "within" : "BROKEN", kBound);
  return good ? 0 : 1;
}
