// From one state to another along a polynomial of degree 5 a joint: position, velocity and
// acceleration are continuous, so that references which come slowly make no jumps.
#pragma once

namespace lockstep::firmware {

template <class T>
struct TrajectoryPoint {
  T q, v, a;
};

// In t / duration: q0 + v0 t + a0 t^2 / 2 + c3 s^3 + c4 s^4 + c5 s^5.
template <class T>
class Quintic {
 public:
  Quintic() = default;
  // duration > 0
  Quintic(const TrajectoryPoint<T>& begin, const TrajectoryPoint<T>& end, T duration)
      : begin_(begin), end_(end), duration_(duration) {
    const T D = duration;
    const T d = end.q - (begin.q + D * (begin.v + D * begin.a / T(2)));  // what is to be made up
    const T e = D * (end.v - (begin.v + D * begin.a));
    const T f = D * D * (end.a - begin.a);
    c3_ = T(10) * d - T(4) * e + f / T(2);
    c4_ = -T(15) * d + T(7) * e - f;
    c5_ = T(6) * d - T(3) * e + f / T(2);
  }

  // At time t; beyond the end it goes on with its velocity.
  TrajectoryPoint<T> at(T t) const {
    if (t > duration_) return {end_.q + end_.v * (t - duration_), end_.v, T(0)};
    const T s = t / duration_, s2 = s * s;
    const T q = s2 * s * (c3_ + s * (c4_ + s * c5_));
    const T v = s2 * (T(3) * c3_ + s * (T(4) * c4_ + s * T(5) * c5_)) / duration_;
    const T a = s * (T(6) * c3_ + s * (T(12) * c4_ + s * T(20) * c5_)) / (duration_ * duration_);
    return {begin_.q + t * (begin_.v + t * begin_.a / T(2)) + q, begin_.v + t * begin_.a + v,
            begin_.a + a};
  }

 private:
  TrajectoryPoint<T> begin_{}, end_{};
  T duration_{}, c3_{}, c4_{}, c5_{};
};

}  // namespace lockstep::firmware
