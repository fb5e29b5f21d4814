// The drivetrains and sensors of a robot that is compiled in, as robot_devices.hpp beside its
// header.
#pragma once

#include <cstdint>
#include <string>

#include "model/tree.hpp"
#include "robot/devices.hpp"

namespace lockstep::host::hil {

std::string to_header(const Devices& devices, const Tree& tree);
// Over all of their figures; 0 for none.
std::uint64_t devices_hash(const Devices& devices, const Tree& tree);

}  // namespace lockstep::host::hil
