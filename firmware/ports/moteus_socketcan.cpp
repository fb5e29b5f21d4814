// moteus drives on a CAN interface of Linux. Beside robot.hpp, the folder LOCKSTEP_ROBOT has a
// motors.hpp: kInterface, such as "can0", and kMotors, a MoteusMotor a joint.
#include <time.h>

#include "boards/port.hpp"
#include "drives/moteus_port.hpp"
#include "drives/socket_can.hpp"
#include "motors.hpp"

namespace lockstep::port {

namespace {

struct Clock {
  static std::uint32_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
                                      static_cast<std::uint64_t>(time.tv_nsec) / 1000);
  }
};

drives::SocketCan bus;
drives::MoteusPort<kMotors.size(), drives::SocketCan, Clock> drives_port{kMotors, bus};
bool is_open = false;

}  // namespace

// Without the interface frames find no room, which is a fault of the drives.
void start(std::uint32_t joints) {
  if (!is_open) is_open = bus.open(kInterface);
  drives_port.start(joints);
}
Status read(std::span<Scalar> q, std::span<Scalar> v, std::uint32_t& age) {
  return drives_port.read(q, v, age);
}
void write(std::span<const Scalar> tau) { drives_port.write(tau); }
void enable(bool on) { drives_port.enable(on); }
void set_rest(Rest rest) { drives_port.set_rest(rest); }
void make_safe() { drives_port.make_safe(); }

}  // namespace lockstep::port
