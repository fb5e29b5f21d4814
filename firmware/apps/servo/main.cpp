// The robot's motors, from a port to the same port (docs/servo.md): by the clock with the port of a
// robot, LOCKSTEP_PORT; without one the robot is at the host's end of the link, a frame a tick.
#include "apps/application.hpp"
#include "loop/link_port.hpp"
#include "loop/servo_device.hpp"

#if LOCKSTEP_HAS_LAW
#include "law.hpp"
#endif

namespace lockstep::firmware {

#if LOCKSTEP_HAS_PORT
struct ThisPort {
  static void start(std::uint32_t joints) { port::start(joints); }
  static Status read(std::span<Scalar> q, std::span<Scalar> v, std::uint32_t& age) {
    return port::read(q, v, age);
  }
  static void write(std::span<const Scalar> tau) { port::write(tau); }
  static void enable(bool on) { port::enable(on); }
  static void set_rest(port::Rest rest) { port::set_rest(rest); }
  static void make_safe() { port::make_safe(); }
};
#else
using ThisPort = LinkPort<Model, Scalar>;
#endif

#if LOCKSTEP_HAS_LAW
struct ThisLaw {
  template <class Settings, class Configs, class Dofs, class Reference>
  Status operator()(const Settings& settings, const Configs& q, const Dofs& v,
                    const Reference& reference, Dofs& tau) {
    return law(settings, q, v, reference, tau);
  }
};
#else
using ThisLaw = NoLaw;
#endif

template <class AnyModel, class T, class Board>
using ThisServo = ServoDevice<AnyModel, T, Board, ThisPort, ThisLaw>;

}  // namespace lockstep::firmware

int lockstep::board::application() { firmware::run_application<firmware::ThisServo>(); }
