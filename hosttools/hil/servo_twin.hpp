// The host's own copy of a servo: the same device, to be spoken to by the same frames.
#pragma once

#include <memory>

#include "hil/transport.hpp"
#include "robot/stepping.hpp"

namespace lockstep::host::hil {

template <class T>
std::unique_ptr<Transport> make_servo_twin(const LoopRobot<T>& robot);

}  // namespace lockstep::host::hil
