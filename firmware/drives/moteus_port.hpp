// A port (boards/port.hpp) of moteus drives on a CAN bus, one a joint. Each tick's torques ask for
// the next tick's measurements; a drive that hears nothing lets go by its own watchdog.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "boards/port.hpp"
#include "drives/moteus.hpp"

namespace lockstep::drives {

struct MoteusMotor {
  std::uint8_t id = 1;
  float sign = 1;  // -1: the shaft turns against the joint
  float zero = 0;  // rad, of the joint where the drive tells 0
  float most = 1;  // N m, of the drive
};

// Clock::now(): microseconds, which wrap.
template <std::size_t kJoints, CanBus Bus, class Clock>
class MoteusPort {
 public:
  static constexpr float kTimeout = 0.02f;            // s, of the drives' watchdogs
  static constexpr std::uint32_t kToBegin = 100'000;  // us, from enabled to mode position

  MoteusPort(const std::array<MoteusMotor, kJoints>& motors, Bus& bus)
      : motors_(motors), bus_(bus) {}

  void start(std::uint32_t joints) {
    fits_ = joints == kJoints;
    begun_ = Clock::now();
    for (Heard& heard : heard_) heard = {};
    for (const MoteusMotor& motor : motors_) {
      send(moteus::mode_command(motor.id, moteus::Mode::kStopped));
    }
  }

  template <class T>
  Status read(std::span<T> q, std::span<T> v, std::uint32_t& age) {
    listen();
    const std::uint32_t now = Clock::now();
    age = 0;
    Status status = fits_ && lost_ == 0 ? Status::kOk : Status::kDriveFault;
    lost_ = 0;
    for (std::size_t i = 0; i < kJoints && i < q.size(); ++i) {
      const Heard& heard = heard_[i];
      const MoteusMotor& motor = motors_[i];
      q[i] = static_cast<T>(motor.sign * heard.answer.position * kTurn + motor.zero);
      v[i] = static_cast<T>(motor.sign * heard.answer.velocity * kTurn);
      age = std::max(age, heard.ever ? now - heard.at : ~std::uint32_t{0});
      if (heard.ever && is_wrong(heard.answer, now)) status = Status::kDriveFault;
    }
    return status;
  }

  template <class T>
  void write(std::span<const T> tau) {
    for (std::size_t i = 0; i < kJoints && i < tau.size() && enabled_; ++i) {
      const MoteusMotor& motor = motors_[i];
      const float torque = motor.sign * static_cast<float>(tau[i]);
      send(moteus::torque_command(motor.id, torque, motor.most, kTimeout));
    }
  }

  void enable(bool on) {
    enabled_ = on;
    if (on) begun_ = Clock::now();
  }
  void set_rest(port::Rest rest) { rest_ = rest; }
  void make_safe() {
    enabled_ = false;
    const auto mode = rest_ == port::Rest::kBrake ? moteus::Mode::kBrake : moteus::Mode::kStopped;
    for (const MoteusMotor& motor : motors_) bus_.send(moteus::mode_command(motor.id, mode));
  }

 private:
  static constexpr float kTurn = 6.283185307179586f;
  struct Heard {
    moteus::Answer answer;
    std::uint32_t at = 0;  // us
    bool ever = false;
  };

  void send(const CanFrame& frame) { lost_ += !bus_.send(frame); }

  // All that has come, but no more than is asked for in some ticks.
  void listen() {
    CanFrame frame;
    for (std::size_t i = 0; i < 8 * kJoints && bus_.receive(frame); ++i) {
      moteus::Answer answer;
      if (!moteus::read_answer(frame, answer)) continue;
      if (!answer.has_mode || !answer.has_position || !answer.has_velocity) continue;
      for (std::size_t k = 0; k < kJoints; ++k) {
        if (motors_[k].id == answer.id) heard_[k] = {answer, Clock::now(), true};
      }
    }
  }

  bool is_wrong(const moteus::Answer& answer, std::uint32_t now) const {
    if (answer.mode == moteus::Mode::kFault || answer.mode == moteus::Mode::kTimeout) return true;
    const bool should = enabled_ && now - begun_ > kToBegin;
    return should && answer.mode != moteus::Mode::kPosition;
  }

  const std::array<MoteusMotor, kJoints> motors_;
  Bus& bus_;
  std::array<Heard, kJoints> heard_{};
  std::uint32_t begun_ = 0, lost_ = 0;  // frames that found no room
  port::Rest rest_ = port::Rest::kOff;
  bool enabled_ = false, fits_ = false;
};

}  // namespace lockstep::drives
