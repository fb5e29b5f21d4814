// A serial port as the target's link, raw: eight bits, no parity, no flow control.
#pragma once

#include <memory>

#include "hil/transport.hpp"

namespace lockstep::host::hil {

// Throws Error with the port and the remedy. A pseudo-terminal serves as well.
std::unique_ptr<Transport> open_serial(const std::string& path, unsigned baud);

}  // namespace lockstep::host::hil
