// A number that counts what is done to it. Put into a solver as its scalar, it tells what one call
// costs, exactly: the kernels run the same operations whatever the data. With the width of float or
// of double it goes the way that they go.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "lockstep/trig.hpp"

namespace lockstep::host {

struct OperationCount {
  long long adds = 0;  // subtractions too
  long long multiplies = 0;
  long long divides = 0;
  long long negations = 0;
  long long comparisons = 0;
  long long square_roots = 0;
  long long sincos = 0;  // a sine and a cosine each

  bool operator==(const OperationCount&) const = default;
  // What solver_operations.hpp counts, and a sine with its cosine as one.
  long long total() const { return adds + multiplies + divides + square_roots + sincos; }
};

// Of all counting numbers together.
struct Counting {
  static inline thread_local OperationCount operations;
};

template <class V>
class CountedNumber : public Counting {
 public:
  constexpr CountedNumber() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr explicit(false) CountedNumber(Number value) : value_(static_cast<V>(value)) {}
  constexpr V value() const { return value_; }

  friend constexpr CountedNumber operator+(const CountedNumber& a, const CountedNumber& b) {
    return counted(&OperationCount::adds, a.value_ + b.value_);
  }
  friend constexpr CountedNumber operator-(const CountedNumber& a, const CountedNumber& b) {
    return counted(&OperationCount::adds, a.value_ - b.value_);
  }
  friend constexpr CountedNumber operator*(const CountedNumber& a, const CountedNumber& b) {
    return counted(&OperationCount::multiplies, a.value_ * b.value_);
  }
  friend constexpr CountedNumber operator/(const CountedNumber& a, const CountedNumber& b) {
    return counted(&OperationCount::divides, a.value_ / b.value_);
  }
  friend constexpr CountedNumber operator-(const CountedNumber& a) {
    return counted(&OperationCount::negations, -a.value_);
  }
  CountedNumber& operator+=(const CountedNumber& other) { return *this = *this + other; }
  CountedNumber& operator-=(const CountedNumber& other) { return *this = *this - other; }
  CountedNumber& operator*=(const CountedNumber& other) { return *this = *this * other; }
  CountedNumber& operator/=(const CountedNumber& other) { return *this = *this / other; }

  friend bool operator==(const CountedNumber& a, const CountedNumber& b) {
    ++operations.comparisons;
    return a.value_ == b.value_;
  }
  friend auto operator<=>(const CountedNumber& a, const CountedNumber& b) {
    ++operations.comparisons;
    return a.value_ <=> b.value_;
  }

  friend CountedNumber sqrt(const CountedNumber& a) {
    return counted(&OperationCount::square_roots, std::sqrt(a.value_));
  }
  friend void sincos(const CountedNumber& angle, CountedNumber& sine, CountedNumber& cosine) {
    ++operations.sincos;
    lockstep::sincos(angle.value_, sine.value_, cosine.value_);
  }

 private:
  // Constants cost nothing.
  static constexpr CountedNumber counted(long long OperationCount::*figure, V value) {
    if (!std::is_constant_evaluated()) ++(operations.*figure);
    CountedNumber result;
    result.value_ = value;
    return result;
  }

  V value_ = 0;
};

using Counted = CountedNumber<double>;

}  // namespace lockstep::host

template <class V>
struct lockstep::TrigConstants<lockstep::host::CountedNumber<V>> {
  using Counted = lockstep::host::CountedNumber<V>;
  using Same = TrigConstants<V>;
  static constexpr Counted kMaxAngle = Same::kMaxAngle, kTwoOverPi = Same::kTwoOverPi,
                           kRound = Same::kRound;
  static constexpr Counted kHalfPi[] = {Same::kHalfPi[0], Same::kHalfPi[1], Same::kHalfPi[2],
                                        Same::kHalfPi[3]};
};

template <class V>
struct std::numeric_limits<lockstep::host::CountedNumber<V>> : std::numeric_limits<V> {
  using Counted = lockstep::host::CountedNumber<V>;
  static constexpr Counted infinity() { return std::numeric_limits<double>::infinity(); }
  static constexpr Counted epsilon() { return std::numeric_limits<V>::epsilon(); }
};

template <class V>
inline constexpr lockstep::host::CountedNumber<V>
    std::numbers::pi_v<lockstep::host::CountedNumber<V>> = std::numbers::pi;

template <class V>
struct Eigen::NumTraits<lockstep::host::CountedNumber<V>> : Eigen::NumTraits<V> {
  using Real = lockstep::host::CountedNumber<V>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
};
