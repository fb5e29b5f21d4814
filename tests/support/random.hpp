// Random numbers of our own (splitmix64), so that a seed means the same on every machine: the
// standard library's distributions are not specified to the bit.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>

namespace lockstep::test {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  constexpr double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
  }

  // 0 ... count - 1
  int below(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }

  Eigen::Vector3d vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size);
    return {x, y, uniform(-size, size)};
  }

  // by rejection from the cube: no direction is preferred
  Eigen::Quaterniond rotation() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
      const Eigen::Quaterniond q(uniform(-1, 1), x, y, z);
      if (q.squaredNorm() > 0.01 && q.squaredNorm() <= 1) return q.normalized();
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace lockstep::test
