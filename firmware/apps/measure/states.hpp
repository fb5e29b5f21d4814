// Random states for measuring: the same numbers, bit for bit, on the chip and on the host.
// Ordinary values, and among them zeros of both signs, tiny and subnormal numbers, large angles;
// some states are at rest without gravity and hold nothing but subnormal torques, so that an FPU
// that flushes subnormal numbers to zero gives itself away.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "lockstep/hash.hpp"
#include "lockstep/model.hpp"
#include "lockstep/status.hpp"
#include "lockstep/trig.hpp"

namespace lockstep::measure {

inline constexpr int kToldStates = 200;  // whose counts are reported one by one

class Random {
 public:
  std::uint32_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  // between -1 and 1, exact in float and in double
  template <class T>
  T number() {
    return static_cast<T>(static_cast<std::int32_t>(bits()) >> 8) * T(0x1p-23);
  }
  // up to `size` mostly; one in eight is a zero or tiny
  template <class T>
  T odd_number(T size) {
    switch (bits() >> 27) {
      case 0: return T(0);
      case 1: return -T(0);
      case 2: return number<T>() * std::numeric_limits<T>::min();  // subnormal
      case 3: return number<T>() * std::numeric_limits<T>::epsilon();
      default: return number<T>() * size;
    }
  }

 private:
  std::uint64_t state_ = 2026;
};

// From a point of space by stereographic projection: of length one without a square root.
template <class T>
void unit_quaternion(Random& random, T* q) {
  T square = T(0);
  for (int i = 0; i < 3; ++i) {
    q[i] = random.odd_number(T(2));
    square += q[i] * q[i];
  }
  for (int i = 0; i < 3; ++i) q[i] = T(2) * q[i] / (T(1) + square);
  q[3] = (T(1) - square) / (T(1) + square);
}

// Fills an input of the robot that these bodies make: anything with vectors q, v, tau, gravity.
template <class T, class Bodies, class Input>
void next_state(Random& random, const Bodies& bodies, Input&& in) {
  // every fourth state has turned many times
  const T turn = (random.bits() >> 30) == 0 ? kMaxAngle<T> : T(3.2);
  T* q = in.q.data();
  for (const Body& body : bodies) {
    const bool turns = body.joint == JointType::kBall || body.joint == JointType::kFloating;
    const int count = config_count(body.joint), plain = turns ? count - 4 : count;
    for (int i = 0; i < plain; ++i) {
      const bool angle = body.joint == JointType::kRevolute || i == 2;
      q[i] = random.odd_number(angle && !turns ? turn : T(1));
    }
    if (turns) unit_quaternion(random, q + plain);
    q += count;
  }
  const bool faint = (random.bits() >> 28) == 0;
  const T torque = faint ? std::numeric_limits<T>::min() : T(50);
  for (int i = 0; i < 3; ++i) in.gravity.data()[i] = faint || i != 2 ? T(0) : T(-9.81);
  const int dofs = static_cast<int>(in.v.size());
  for (int i = 0; i < dofs; ++i) in.v.data()[i] = faint ? T(0) : random.odd_number(T(4));
  for (int i = 0; i < dofs; ++i) in.tau.data()[i] = random.odd_number(torque);
}

template <class Output>
void add_answer(Hash& hash, Status status, const Output& out) {
  const auto add_all = [&](const auto& values) {
    const auto count = values.size();
    for (std::remove_cv_t<decltype(count)> i = 0; i < count; ++i) hash.add(values.data()[i]);
  };
  hash.add(static_cast<std::uint8_t>(status));
  add_all(out.vdot), add_all(out.reaction), add_all(out.lambda);
  if constexpr (requires { out.forces; }) add_all(out.forces);
  if constexpr (requires { out.q; }) add_all(out.q), add_all(out.v);
}

}  // namespace lockstep::measure
