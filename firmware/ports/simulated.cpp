// A robot in the place of drives: simulated by the same core, at the pace of the board's clock,
// from rest in its zero pose. Drives answer at once, and a motor that is off turns freely.
#include <algorithm>

#include "boards/board.hpp"
#include "boards/port.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "robot.hpp"  // of LOCKSTEP_ROBOT: it is compiled in

namespace lockstep::port {

namespace {

constexpr std::uint32_t kStepsASecond = 4000, kMostSteps = 200;  // a read

struct Simulated {
  JointStepper<robot, Scalar> stepper;
  decltype(stepper.make_input()) state = stepper.make_input();
  std::uint32_t at = 0;  // cycles
  bool enabled = false;

  // Up to now; a robot that was left alone for longer stands still meanwhile.
  Status catch_up() {
    const std::uint32_t a_step = board::kClockHz / kStepsASecond;
    const std::uint32_t due = (board::cycles() - at) / a_step;
    at += due * a_step;
    for (std::uint32_t i = 0; i < std::min(due, kMostSteps); ++i) {
      if (!enabled) state.tau.setZero();
      const Status status =
          stepper.step(state, Scalar(1) / Scalar(kStepsASecond), Integrator::kSemiImplicitEuler);
      if (status != Status::kOk) return status;
    }
    return Status::kOk;
  }
};

Simulated simulated;

}  // namespace

void start(std::uint32_t) {
  simulated.state = simulated.stepper.make_input();
  simulated.at = board::cycles();
  simulated.enabled = false;
}
Status read(std::span<Scalar> q, std::span<Scalar> v, std::uint32_t& age) {
  const Status status = simulated.catch_up();
  std::copy(simulated.state.q.begin(), simulated.state.q.end(), q.begin());
  std::copy(simulated.state.v.begin(), simulated.state.v.end(), v.begin());
  age = static_cast<std::uint32_t>(std::uint64_t{board::cycles() - simulated.at} * 1'000'000 /
                                   board::kClockHz);
  return status == Status::kOk ? Status::kOk : Status::kDriveFault;
}
void write(std::span<const Scalar> tau) {
  std::copy(tau.begin(), tau.end(), simulated.state.tau.begin());
}
void enable(bool on) { simulated.enabled = on; }
void set_rest(Rest) {}
void make_safe() { simulated.enabled = false; }

}  // namespace lockstep::port
