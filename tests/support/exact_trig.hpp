// Sine and cosine from MPFR, and the distance of a computed value from the exact one in units of
// the last place of the exact value.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::test {

// One angle at a time: set x, then ask for the errors of the computed sine and cosine.
class ExactTrig {
 public:
  ExactTrig() { mpfr_inits2(kBits, x_, sine_, cosine_, difference_, nullptr); }
  ~ExactTrig() { mpfr_clears(x_, sine_, cosine_, difference_, nullptr); }
  ExactTrig(const ExactTrig&) = delete;
  ExactTrig& operator=(const ExactTrig&) = delete;

  void set(double x) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_sin_cos(sine_, cosine_, x_, MPFR_RNDN);
  }
  template <class T>
  double sine_ulps(T computed) {
    return ulps(computed, sine_);
  }
  template <class T>
  double cosine_ulps(T computed) {
    return ulps(computed, cosine_);
  }

 private:
  static constexpr mpfr_prec_t kBits = 160;  // relative, also where the result is tiny

  template <class T>
  double ulps(T computed, const mpfr_t exact) {
    using Limits = std::numeric_limits<T>;
    if (mpfr_zero_p(exact)) return computed == 0 ? 0 : HUGE_VAL;
    const auto exponent = std::max<mpfr_exp_t>(mpfr_get_exp(exact), Limits::min_exponent);
    mpfr_d_sub(difference_, static_cast<double>(computed), exact, MPFR_RNDN);
    mpfr_mul_2si(difference_, difference_, Limits::digits - exponent, MPFR_RNDN);
    return std::abs(mpfr_get_d(difference_, MPFR_RNDN));
  }

  mpfr_t x_, sine_, cosine_, difference_;
};

// The double nearest to k quarter turns.
inline double quarter_turns(unsigned long k) {
  mpfr_t angle;
  mpfr_init2(angle, 200);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_ui(angle, angle, k, MPFR_RNDN);
  mpfr_div_2ui(angle, angle, 1, MPFR_RNDN);
  const double nearest = mpfr_get_d(angle, MPFR_RNDN);
  mpfr_clear(angle);
  return nearest;
}

}  // namespace lockstep::test
