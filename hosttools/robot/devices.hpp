// The drivetrains and sensors of a robot's file, on the bodies of the tree that is computed.
#pragma once

#include <string>
#include <vector>

#include "lockstep/devices/drivetrain.hpp"
#include "lockstep/devices/sensors.hpp"
#include "model/load.hpp"

namespace lockstep::host {

struct JointDrive {
  std::string joint;
  bool slides = false;
  int body = 0, q = 0, v = 0;
  double friction = 0;  // N m or N, of the joint itself
  Drivetrain<double> train;
};
struct JointEncoder {
  std::string joint;
  bool slides = false;
  int body = 0, q = 0, v = 0;
  bool at_motor = false;
  Encoder<double> figures;
};
struct LinkImu {
  std::string name;
  Imu<double> figures;
};
struct JointWrench {
  std::string joint;
  ForceTorque<double> figures;
};

struct Devices {
  std::uint64_t seed = 0;
  std::vector<JointDrive> drives;
  std::vector<JointEncoder> encoders;
  std::vector<LinkImu> imus;
  std::vector<JointWrench> wrenches;

  bool any() const {
    return !drives.empty() || !encoders.empty() || !imus.empty() || !wrenches.empty();
  }
};

// Whether the file has any: what cannot be done with them refuses.
bool has_devices(const LoadOptions& options);
// Throws Error: `what` is what the user asked for, "--stepper lagrange".
void refuse_devices(const LoadOptions& options, const std::string& what);

// Throws Error for what hangs on a joint or link that does not move by itself, or a delay that is
// too long.
Devices load_devices(const LoadOptions& options, const Tree& computed, double dt);

}  // namespace lockstep::host
