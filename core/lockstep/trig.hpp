// Sine and cosine with the same bits everywhere: no libm, no data-dependent branch, no FMA, only
// IEEE additions and multiplications (40 in float, 52 in double) and integers of the same width.
// Error in ulp of the exact value, as tests/bench/trig_exhaustive.cpp prints it:
//   float   sin 0.795, cos 0.801   every float within kMaxAngle
//   double  sin 0.800, cos 0.797   10^8 random angles up to kMaxAngle; 0.500 in the three doubles
//                                  around every multiple of pi/2
#pragma once

#include "lockstep/hide_macros.hpp"

#include <bit>
#include <cfloat>
#include <cstdint>

namespace lockstep {

static_assert(FLT_EVAL_METHOD == 0, "excess precision changes the bits; use SSE2 or a real FPU");
#ifdef __FAST_MATH__
#error "-ffast-math changes the bits; build lockstep without it"
#endif
#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#error "Helium's float flushes subnormal numbers to zero; build with -mcpu=...+nomve.fp"
#endif

// 1. Reduction: |x| = k pi/2 + r with k the integer nearest to |x| 2/pi, |r| <= pi/4 and a hair.
//    Adding 1.5 2^(p-1) to a p-bit number leaves no room for a fraction: the sum is rounded to an
//    integer whose low bits are those of k. A mask gives the quadrant, a subtraction the value of
//    k, and no conversion is there for NaN or infinity to upset.
// 2. pi/2 is a sum of four parts (after Cody and Waite), the first three so short that k times
//    each is exact. |x| - k C1 is exact, the two being close. The next two subtractions round, and
//    (a - (a - b)) - b is exactly what they lose, since a ends at a coarser place than b; it goes
//    to `lo` with k C4. Zeros in the binary digits of pi/2 let short parts reach far:
//
//                bits of C1 C2 C3    k up to    |pi/2 - sum|    x comes as close to k pi/2 as
//      float         8 11 11          2^13        2^-63           2^-27.8
//      double       27 28 29          2^24        2^-145          2^-60.5
//
//    so that r = hi + lo is good to the last place even next to the zeros of sine and cosine.
// 3. Polynomials in z = hi^2, minimax over the reduced interval with the first terms held fixed:
//                                                 degree in r and relative error, float and double
//      sin r = hi + (hi z P(z) + lo (1 - z/2))        7, 2^-27.8        13, 2^-57.9
//      cos r = 1 - z/2 + (z^2 Q(z) - hi lo)           8, 2^-32.9        14, 2^-63.7
//    What 1 - z/2 loses by rounding is added back with the small terms.
// 4. Odd k swaps sine and cosine; bit 1 of k is the sign of sine, bit 1 of k + 1 that of cosine.
//    The sign of x comes back last, so that -0 gives -0 and symmetry is exact.
template <class Scalar>
struct TrigConstants;

template <>
struct TrigConstants<float> {
  using Bits = std::uint32_t;
  static constexpr float kMaxAngle = 12867;  // 2^13 quarter turns
  static constexpr float kTwoOverPi = 0x1.45f306p-1F;
  static constexpr float kRound = 0x1.8p23F;
  static constexpr float kHalfPi[] = {0x1.92p0F, 0x1.fb4p-12F, 0x1.444p-24F, 0x1.68c234p-39F};
  static constexpr float kSin[] = {-0x1.555544p-3F, 0x1.1106e0p-7F, -0x1.9929b0p-13F};
  static constexpr float kCos[] = {0x1.55554ap-5F, -0x1.6c0c2ap-10F, 0x1.99e8ccp-16F};
};

template <>
struct TrigConstants<double> {
  using Bits = std::uint64_t;
  static constexpr double kMaxAngle = 26353589;  // 2^24 quarter turns
  static constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  static constexpr double kRound = 0x1.8p52;
  static constexpr double kHalfPi[] = {0x1.921fb54p0, 0x1.10b4612p-30, -0x1.676733bp-60,
                                       0x1.701b839a25205p-92};
  static constexpr double kSin[] = {-0x1.5555555555548p-3,  0x1.111111110f760p-7,
                                    -0x1.a01a019bf2b80p-13, 0x1.71de355fa5201p-19,
                                    -0x1.ae5e5500a2311p-26, 0x1.5d8e627752d06p-33};
  static constexpr double kCos[] = {0x1.555555555554cp-5,  -0x1.6c16c16c15223p-10,
                                    0x1.a01a019cbff92p-16, -0x1.27e4f813368b8p-22,
                                    0x1.1ee9f1b0a6b68p-29, -0x1.8fb16388cfd93p-37};
};

// Radians. Beyond it the products k C are no longer exact: the results lose digits, then meaning.
template <class Scalar>
inline constexpr Scalar kMaxAngle = TrigConstants<Scalar>::kMaxAngle;

template <class Real, class Scalar, int count>
constexpr Real horner(const Real& z, const Scalar (&coefficient)[count]) {
  Real sum = z * coefficient[count - 1] + coefficient[count - 2];
  for (int i = count - 3; i >= 0; --i) sum = z * sum + coefficient[i];
  return sum;
}

// Real and Bits are Scalar and its unsigned integer, or vectors of as many lanes of them: any
// types with lane-wise operators, lane against Scalar included, that std::bit_cast can exchange.
template <class Scalar, class Real = Scalar, class Bits = typename TrigConstants<Scalar>::Bits>
constexpr void sincos_kernel(const Real& x, Real& s, Real& c) {
  using K = TrigConstants<Scalar>;
  using Word = typename K::Bits;
  constexpr int kTop = 8 * static_cast<int>(sizeof(Word)) - 1;
  const Bits sign = std::bit_cast<Bits>(x) & (Word{1} << kTop);
  const Real magnitude = std::bit_cast<Real>(std::bit_cast<Bits>(x) ^ sign);

  const Real shifted = magnitude * K::kTwoOverPi + K::kRound;
  const Bits quadrant = std::bit_cast<Bits>(shifted);
  const Real k = shifted - K::kRound;

  const Real r1 = magnitude - k * K::kHalfPi[0];
  const Real w2 = k * K::kHalfPi[1];
  const Real r2 = r1 - w2;
  const Real w3 = k * K::kHalfPi[2];
  const Real hi = r2 - w3;
  const Real lo = (((r1 - r2) - w2) + ((r2 - hi) - w3)) - k * K::kHalfPi[3];

  const Real z = hi * hi;
  const Real half = z * Scalar(0.5);
  const Real near_one = Scalar(1) - half;
  const Real sine = hi + (hi * (z * horner(z, K::kSin)) + lo * near_one);
  const Real lost = (Scalar(1) - near_one) - half;
  const Real cosine = near_one + (lost + (z * (z * horner(z, K::kCos)) - hi * lo));

  const Bits odd = Bits{} - (quadrant & Word{1});
  const Bits sine_bits = std::bit_cast<Bits>(sine);
  const Bits cosine_bits = std::bit_cast<Bits>(cosine);
  const Bits change = (sine_bits ^ cosine_bits) & odd;
  const Bits sine_sign = (quadrant & Word{2}) << (kTop - 1);
  const Bits cosine_sign = ((quadrant + Word{1}) & Word{2}) << (kTop - 1);
  s = std::bit_cast<Real>(sine_bits ^ change ^ sine_sign ^ sign);
  c = std::bit_cast<Real>(cosine_bits ^ change ^ cosine_sign);
}

// Ties to even; of numbers below 2^(p-2) for p bits.
template <class T>
constexpr T nearest_whole(const T& x) {
  return (x + TrigConstants<T>::kRound) - TrigConstants<T>::kRound;
}

// Generic code calls `sincos` unqualified: a scalar type of another kind (lanes, an operation
// counter) brings its own in its namespace.
constexpr void sincos(float x, float& s, float& c) { sincos_kernel<float>(x, s, c); }
constexpr void sincos(double x, double& s, double& c) { sincos_kernel<double>(x, s, c); }

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
