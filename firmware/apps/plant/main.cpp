// The robot on the chip: torques in, motion out; with the drivetrains and sensors of a
// robot_devices.hpp beside its header.
#if __has_include("robot_devices.hpp")
#define LOCKSTEP_HAS_DEVICES 1
#endif
#include "apps/application.hpp"
#include "loop/plant_device.hpp"

int lockstep::board::application() { firmware::run_application<firmware::PlantDevice>(); }
