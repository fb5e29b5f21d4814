// A double that counts what is done to it. Put into the solver as its scalar, it tells what one
// call costs, exactly: the kernels run the same operations whatever the data.
#pragma once

#include <Eigen/Core>
#include <cmath>

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
};

class Counted {
 public:
  static inline thread_local OperationCount operations;

  constexpr Counted() = default;
  constexpr explicit(false) Counted(double value) : value_(value) {}
  constexpr double value() const { return value_; }

  friend Counted operator+(const Counted& a, const Counted& b) {
    ++operations.adds;
    return a.value_ + b.value_;
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    ++operations.adds;
    return a.value_ - b.value_;
  }
  friend Counted operator*(const Counted& a, const Counted& b) {
    ++operations.multiplies;
    return a.value_ * b.value_;
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    ++operations.divides;
    return a.value_ / b.value_;
  }
  friend Counted operator-(const Counted& a) {
    ++operations.negations;
    return -a.value_;
  }
  Counted& operator+=(const Counted& other) { return *this = *this + other; }
  Counted& operator-=(const Counted& other) { return *this = *this - other; }
  Counted& operator*=(const Counted& other) { return *this = *this * other; }
  Counted& operator/=(const Counted& other) { return *this = *this / other; }

  friend bool operator==(const Counted& a, const Counted& b) {
    ++operations.comparisons;
    return a.value_ == b.value_;
  }
  friend auto operator<=>(const Counted& a, const Counted& b) {
    ++operations.comparisons;
    return a.value_ <=> b.value_;
  }

  friend Counted sqrt(const Counted& a) {
    ++operations.square_roots;
    return std::sqrt(a.value_);
  }
  friend void sincos(const Counted& angle, Counted& sine, Counted& cosine) {
    ++operations.sincos;
    lockstep::sincos(angle.value_, sine.value_, cosine.value_);
  }

 private:
  double value_ = 0;
};

}  // namespace lockstep::host

template <>
struct lockstep::TrigConstants<lockstep::host::Counted> {
  static constexpr lockstep::host::Counted kMaxAngle = TrigConstants<double>::kMaxAngle;
};

template <>
struct Eigen::NumTraits<lockstep::host::Counted> : Eigen::NumTraits<double> {
  using Real = lockstep::host::Counted;
  using NonInteger = lockstep::host::Counted;
  using Nested = lockstep::host::Counted;
  using Literal = lockstep::host::Counted;
};
