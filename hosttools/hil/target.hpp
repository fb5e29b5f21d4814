// Where a firmware runs: `host`, `qemu:CPU`, or the path of a serial port.
#pragma once

#include <memory>
#include <string>

#include "hil/transport.hpp"

namespace lockstep::host::hil {

struct Target {
  enum class Kind { kHost, kEmulator, kSerial };
  Kind kind = Kind::kHost;
  std::string detail = {};  // the emulated CPU or the port's path
  // Of an emulator: an instruction takes 2^shift ns of its time. In real time it also waits for the
  // host's clock; otherwise its time passes as fast as it computes.
  int shift = 8;
  bool real_time = false;
};

// Throws Error that lists the choices.
Target parse_target(const std::string& text);

// Starts `image`, an executable for the host or an image for the emulator; a port's board already
// runs its own.
std::unique_ptr<Transport> open_transport(const Target& target, const std::string& image,
                                          unsigned baud);

}  // namespace lockstep::host::hil
