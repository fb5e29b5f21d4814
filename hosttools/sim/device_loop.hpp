// Drivetrains and sensors around a plant: what is measured at the start of a step, what motors make
// of a command, and what of both is recorded: `command.elbow [N m]`, `motor.elbow [N m]`,
// `q_motor.elbow [rad]`, `q_measured.elbow [rad]`, `imu.tool.ax [m/s^2]`, `wrench.wrist.fx [N]`.
#pragma once

#include <memory>

#include "lockstep/devices/drivetrains.hpp"
#include "lockstep/devices/inertial.hpp"
#include "record/record.hpp"
#include "robot/devices.hpp"
#include "robot/plant.hpp"

namespace lockstep::host::sim {

std::vector<RecordColumn> device_columns(const Devices& devices);

template <class T>
class DeviceLoop {
 public:
  using Plant = HostPlant<T>;
  using Configs = typename Plant::Configs;
  using Dofs = typename Plant::Dofs;

  DeviceLoop(const Devices& devices, const HostModel<T>& model, double dt, const Dofs& v);

  // At the plant's state; `gravity` as in the plant's settings. Once before each step.
  Status measure(const Plant& plant, const typename Plant::Motion& motion);
  // What a controller sees of the joints: where there is no encoder, what is.
  const Configs& q() const { return q_; }
  const Dofs& v() const { return v_; }

  // One step of the plant under a command that was just decided.
  Status advance(Plant& plant, const LoopSettings<T>& settings, const Dofs& command);

  // Of the last measurement and the step after it.
  std::vector<double> row() const;

 private:
  const Devices& devices_;
  const T dt_;
  std::vector<Drivetrain<T>> trains_;
  struct Motor {
    T position{}, rate{};
  };
  std::vector<Motor> motors_;  // at the last measurement
  Drivetrains<HostModel<T>, T> drives_;
  InertialMotion<HostModel<T>, T> motion_;
  std::vector<Encoder<T>> encoders_;
  std::vector<Imu<T>> imus_;
  std::vector<EncoderState<T>> readings_;
  std::vector<Inertial<T>> felt_;
  std::vector<Spatial<T>> wrenches_;
  Configs q_;
  Dofs v_, before_, command_;
};

}  // namespace lockstep::host::sim
