#include "hil/target.hpp"

#include "chip/chips.hpp"
#include "hil/process.hpp"
#include "hil/serial.hpp"
#include "system/programs.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

const std::string kPrefix = "qemu:";

}  // namespace

Target parse_target(const std::string& text) {
  if (text == "host") return {.kind = Target::Kind::kHost};
  if (text.starts_with(kPrefix)) {
    const std::string cpu = text.substr(kPrefix.size());
    if (find_chip(cpu) != nullptr) return {.kind = Target::Kind::kEmulator, .detail = cpu};
  } else if (text.find('/') != std::string::npos) {
    return {.kind = Target::Kind::kSerial, .detail = text};
  }
  throw Error("--target " + text + ": no such target; give host, " + kPrefix +
              listed(chip_names(), ", " + kPrefix) + " or a serial port such as /dev/ttyACM0");
}

std::unique_ptr<Transport> open_transport(const Target& target, const std::string& image,
                                          unsigned baud) {
  switch (target.kind) {
    case Target::Kind::kHost: return start_process("the firmware on the host", {image});
    case Target::Kind::kEmulator:
      return start_process("the emulator",
                           {shared_file("toolchain/emulate"), target.detail, image, "-icount",
                            "shift=" + std::to_string(target.shift) +
                                (target.real_time ? ",align=on" : ",sleep=off")});
    case Target::Kind::kSerial: break;
  }
  return open_serial(target.detail, baud);
}

}  // namespace lockstep::host::hil
