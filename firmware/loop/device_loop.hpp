// Drivetrains and sensors around a plant (lockstep/devices): what is measured in a state, and what
// motors make of a command in the step from it. All of it begins at rest with `start`.
#pragma once

#include <cstdint>
#include <span>

#include "lockstep/devices/drivetrains.hpp"
#include "lockstep/devices/inertial.hpp"
#include "lockstep/hash.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"

namespace lockstep::firmware {

// On a joint of one coordinate, at q and v.
template <class T>
struct MountedEncoder {
  int body = 0, q = 0, v = 0;
  bool at_motor = false;
  Encoder<T> figures;
};

// Of one robot, kept by the caller.
template <class T>
struct DeviceFigures {
  std::uint64_t seed = 0;
  std::span<const Drivetrain<T>> trains = {};  // one a body
  std::span<const T> friction = {};            // N m or N, of the joints themselves, one a body
  std::span<const MountedEncoder<T>> encoders = {};
  std::span<const Imu<T>> imus = {};
  std::span<const ForceTorque<T>> wrenches = {};

  bool any() const { return !trains.empty(); }
};
// Room for what they tell.
template <class T>
struct DeviceReadings {
  std::span<EncoderState<T>> encoders = {};
  std::span<Inertial<T>> imus = {};
  std::span<Spatial<T>> wrenches = {};
};

// Names a robot with its devices: a host that thinks of others speaks of another robot.
constexpr std::uint64_t hash_with_devices(std::uint64_t model_hash, std::uint64_t devices) {
  if (devices == 0) return model_hash;
  Hash hash(model_hash);
  hash.add(devices);
  return hash.value();
}

template <class Model, class T>
class DeviceLoop {
 public:
  using View = typename Robot<Model, T>::View;
  using Configs = typename Problem<View, T>::Configs;
  using Dofs = typename Problem<View, T>::Dofs;

  DeviceLoop(const Robot<Model, T>& robot, const DeviceFigures<T>& figures,
             const DeviceReadings<T>& readings)
      : figures_(figures),
        readings_(readings),
        drives_(robot.template make<Drivetrains<Model, T>>()),
        motion_(robot.template make<InertialMotion<Model, T>>()) {
    (void)drives_.set(figures.trains);  // the figures are checked where they are read
  }

  bool any() const { return figures_.any(); }

  void start(const Dofs& v) {
    drives_.start(v);
    before_ = v;
    for (EncoderState<T>& own : readings_.encoders) own = {};
  }

  // In the plant's state; once a step.
  template <class Plant>
  Status measure(const Plant& plant, const Settings<View, T>& settings) {
    const auto& state = plant.motion();
    q_ = state.q, v_ = state.v;
    const NoiseKey key = {.seed = figures_.seed, .step = plant.step()};
    for (std::size_t i = 0; i < figures_.encoders.size(); ++i) {
      const MountedEncoder<T>& own = figures_.encoders[i];
      EncoderState<T>& reading = readings_.encoders[i];
      const bool spring = own.at_motor && figures_.trains[at(own.body)].is_elastic();
      const T q = spring ? motor_position(own.body, state.q[own.q]) : T(state.q[own.q]);
      const T v = spring ? motor(own.body).rate : T(state.v[own.v]);
      read(own.figures, reading, q, v, settings.dt, key);
      q_[own.q] = reading.position, v_[own.v] = reading.velocity;
    }
    if (!figures_.imus.empty()) {
      // the mean of the step that led here; before the first, none
      const Dofs vdot = (state.v - before_) / settings.dt;
      const Status status = motion_.move(state.q, state.v, vdot, settings.gravity);
      if (status != Status::kOk) return status;
    }
    for (std::size_t i = 0; i < figures_.imus.size(); ++i) {
      const Imu<T>& imu = figures_.imus[i];
      readings_.imus[i] = read(imu, motion_.at_frame(imu.frame), key);
    }
    for (std::size_t i = 0; i < figures_.wrenches.size(); ++i) {
      const ForceTorque<T>& sensor = figures_.wrenches[i];
      readings_.wrenches[i] = read(sensor, plant.stepping().wrench(sensor.body), key);
    }
    before_ = state.v;
    return Status::kOk;
  }

  // What a controller is told of the joints: where there is no encoder, what is.
  const Configs& q() const { return q_; }
  const Dofs& v() const { return v_; }
  const DeviceReadings<T>& readings() const { return readings_; }
  const DrivetrainState<T>& motor(int body) const { return drives_.state(body); }
  T motor_position(int body, const T& q) const { return drives_.motor_position(body, q); }

  // One step of the plant under a command that was decided now.
  template <class Plant>
  Status advance(Plant& plant, const Settings<View, T>& settings, const Dofs& command) {
    const Status ready = drives_.drive(plant.motion().v, command, settings.dt);
    if (ready != Status::kOk) return ready;
    plant.stepping().assist(drives_.gains());
    for (std::size_t i = 0; i < figures_.trains.size(); ++i) {
      if (!figures_.trains[i].is_lossy_at_joint()) continue;
      const int body = static_cast<int>(i);
      plant.stepping().rub(body, figures_.friction[i] + drives_.friction_of(body));
    }
    const Status status = plant.advance_under(settings, drives_.tau());
    if (has_moved(status)) drives_.follow(plant.motion().v, plant.motion().tau, settings.dt);
    return status;
  }

  // All that was told, and where the motors are.
  void add_to(Hash& hash) const {
    const auto add = [&](const Vec3<T>& a) { hash.add(a.x), hash.add(a.y), hash.add(a.z); };
    hash.add_all(q_);
    hash.add_all(v_);
    for (const Inertial<T>& own : readings_.imus) add(own.force), add(own.rate);
    for (const Spatial<T>& own : readings_.wrenches) add(own.linear), add(own.angular);
    for (std::size_t i = 0; i < figures_.trains.size(); ++i) {
      const DrivetrainState<T>& own = motor(static_cast<int>(i));
      hash.add(own.current), hash.add(own.stretch), hash.add(own.rate);
    }
  }

 private:
  DeviceFigures<T> figures_;
  DeviceReadings<T> readings_;
  Drivetrains<Model, T> drives_;
  InertialMotion<Model, T> motion_;
  Configs q_;
  Dofs v_, before_;
};

}  // namespace lockstep::firmware
