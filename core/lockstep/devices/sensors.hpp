// What sensors make of a robot's motion: encoders on single joints, inertial units on links, force
// and torque at joints. Noise comes from noise.hpp, keyed by seed, step and channel. A sensor
// without figures gives what it is handed, bit for bit.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstdint>
#include <limits>

#include "lockstep/border.hpp"
#include "lockstep/devices/noise.hpp"
#include "lockstep/joint_space.hpp"
#include "lockstep/link_frame.hpp"

namespace lockstep {

namespace devices {

// The integer nearest to x, of two the even one: adding 2^(p-1) leaves no room for a fraction.
template <class T>
constexpr T nearest_integer(const T& x) {
  constexpr T kLarge = T(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
  if (x >= T(0)) return x < kLarge ? (x + kLarge) - kLarge : x;
  return x > -kLarge ? (x - kLarge) + kLarge : x;
}

// x to the nearest multiple of a resolution.
template <class T>
constexpr T quantized(const T& x, const T& resolution) {
  return resolution == T(0) ? x : resolution * nearest_integer(T(x / resolution));
}

}  // namespace devices

template <class T>
struct Encoder {
  T resolution = T(0);  // rad or m a count
  T offset = T(0);      // added to the position
  T noise = T(0);       // rad or m, a standard deviation, before it is counted
  // The velocity: of the joint, or where this is set from two positions of the encoder, then
  // through a lag of first order with this time constant in s.
  bool differentiates = false;
  T time_constant = T(0);
  std::uint32_t channel = 0;

  constexpr Status check() const {
    const auto from_zero = [](const T& x) { return x >= T(0) && is_finite(x); };
    const bool good = from_zero(resolution) && is_finite(offset) && from_zero(noise) &&
                      from_zero(time_constant) && (differentiates || time_constant == T(0));
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

// What an encoder remembers.
template <class T>
struct EncoderState {
  T position = T(0), velocity = T(0);
  bool has_read = false;  // before, there is no velocity to be had from positions
};

// Reads a joint, dt after the last time; `state` has the answer.
template <class T>
void read(const Encoder<T>& encoder, EncoderState<T>& state, const T& q, const T& v, const T& dt,
          const NoiseKey& key) {
  T position = encoder.offset == T(0) ? q : q + encoder.offset;
  position = add_noise(position, encoder.noise, key, encoder.channel);
  position = devices::quantized(position, encoder.resolution);
  if (!encoder.differentiates) {
    state.velocity = v;
  } else if (!state.has_read) {
    state.velocity = T(0);
  } else {
    // a joint that has spun for long is wound back by whole turns
    const T rate = without_turns(T(position - state.position)) / dt;
    const T& lag = encoder.time_constant;
    state.velocity =
        lag == T(0) ? rate : state.velocity + dt / (dt + lag) * (rate - state.velocity);
  }
  state.position = position;
  state.has_read = true;
}

// An inertial unit on a link: channel .. channel + 5 are its own.
template <class T>
struct Imu {
  LinkFrame<T> frame;
  Vec3<T> force_offset, rate_offset;        // m/s^2, rad/s
  T force_noise = T(0), rate_noise = T(0);  // standard deviations
  T force_resolution = T(0), rate_resolution = T(0);
  std::uint32_t channel = 0;

  constexpr Status check() const {
    bool good = is_finite3(force_offset) && is_finite3(rate_offset);
    for (const T* x : {&force_noise, &rate_noise, &force_resolution, &rate_resolution}) {
      good = good && *x >= T(0) && is_finite(*x);
    }
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

// In the unit's axes: acceleration less gravity, and angular velocity.
template <class T>
struct Inertial {
  Vec3<T> force, rate;  // m/s^2, rad/s
};

template <class T>
Vec3<T> with_errors(const Vec3<T>& x, const Vec3<T>& offset, const T& noise, const T& resolution,
                    const NoiseKey& key, std::uint32_t channel) {
  Vec3<T> result = x;
  T* const out[] = {&result.x, &result.y, &result.z};
  const T* const off[] = {&offset.x, &offset.y, &offset.z};
  for (int i = 0; i < 3; ++i) {
    T& own = *out[i];
    if (*off[i] != T(0)) own = own + *off[i];
    own = add_noise(own, noise, key, channel + static_cast<std::uint32_t>(i));
    own = devices::quantized(own, resolution);
  }
  return result;
}

template <class T>
Inertial<T> read(const Imu<T>& imu, const Inertial<T>& exact, const NoiseKey& key) {
  return {with_errors(exact.force, imu.force_offset, imu.force_noise, imu.force_resolution, key,
                      imu.channel),
          with_errors(exact.rate, imu.rate_offset, imu.rate_noise, imu.rate_resolution, key,
                      imu.channel + 3)};
}

// Force and moment that a joint passes to its child, as solvers give them: six channels.
template <class T>
struct ForceTorque {
  int body = 0;                                         // that the joint carries
  T force_noise = T(0), torque_noise = T(0);            // N, N m
  T force_resolution = T(0), torque_resolution = T(0);  // N, N m
  std::uint32_t channel = 0;

  constexpr Status check() const {
    bool good = body >= 0;
    for (const T* x : {&force_noise, &torque_noise, &force_resolution, &torque_resolution}) {
      good = good && *x >= T(0) && is_finite(*x);
    }
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

template <class T>
Spatial<T> read(const ForceTorque<T>& sensor, const Spatial<T>& exact, const NoiseKey& key) {
  return {with_errors(exact.linear, {}, sensor.force_noise, sensor.force_resolution, key,
                      sensor.channel),
          with_errors(exact.angular, {}, sensor.torque_noise, sensor.torque_resolution, key,
                      sensor.channel + 3)};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
