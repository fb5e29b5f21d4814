// The plant of a robot with the drivetrains and sensors of its file: that of a board, with the same
// bits. What is recorded of them: `command.elbow [N m]`, `motor.elbow [N m]`, `q_motor.elbow
// [rad]`, `q_measured.elbow [rad]`, `imu.tool.ax [m/s^2]`, `wrench.wrist.fx [N]`.
#pragma once

#include "loop/equipped_plant.hpp"
#include "record/record.hpp"
#include "robot/devices.hpp"
#include "robot/plant.hpp"

namespace lockstep::host {

// The figures of devices in the scalar of a run, for so many bodies, and room for what they tell.
template <class T>
class DeviceTables {
 public:
  DeviceTables() = default;
  DeviceTables(const Devices& devices, int bodies);

  firmware::DeviceFigures<T> figures() const {
    return {seed_, trains_, friction_, encoders_, imus_, wrenches_};
  }
  firmware::DeviceReadings<T> readings() { return {read_, felt_, passed_}; }

 private:
  std::uint64_t seed_ = 0;
  std::vector<Drivetrain<T>> trains_;
  std::vector<T> friction_;
  std::vector<firmware::MountedEncoder<T>> encoders_;
  std::vector<Imu<T>> imus_;
  std::vector<ForceTorque<T>> wrenches_;
  std::vector<EncoderState<T>> read_;
  std::vector<Inertial<T>> felt_;
  std::vector<Spatial<T>> passed_;
};

template <class T>
using EquippedHostPlant = firmware::EquippedPlant<HostPlant<T>, DeviceTables<T>>;

// Of a measurement and the step after it.
class DeviceRow {
 public:
  explicit DeviceRow(const Devices& devices) : devices_(devices) {}

  std::vector<RecordColumn> columns() const;
  template <class T>
  void measured(const EquippedHostPlant<T>& plant);
  template <class T>
  void acted(const EquippedHostPlant<T>& plant);
  const std::vector<double>& values() const { return row_; }

 private:
  const Devices& devices_;
  std::vector<double> row_;
};

}  // namespace lockstep::host

// Compiled once, in equipped_plant.cpp.
namespace lockstep::firmware {
extern template class EquippedPlant<host::HostPlant<float>, host::DeviceTables<float>>;
extern template class EquippedPlant<host::HostPlant<double>, host::DeviceTables<double>>;
}  // namespace lockstep::firmware
