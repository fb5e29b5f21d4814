// The same for a robot with the loops and couplings that its model brings.
#include "apps/place.hpp"
#include "dynamics.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"
#include "robot.hpp"

namespace lockstep::measure {

namespace {

using RobotSolver = ClosedSolver<robot, Scalar>;

struct Memory {
  RobotSolver::Input in;
  RobotSolver::Output out;
  RobotSolver::Forces forces;
  Status status;
};

firmware::Place<Memory> memory;
firmware::Place<RobotSolver> solver;

template <class Values>
auto view(Values& values) {
  return std::span(values.data(), static_cast<std::size_t>(values.size()));
}

}  // namespace

void prepare() {
  new (&solver) RobotSolver;
  new (&memory) Memory{solver.get().make_input(), solver.get().make_output(), {}, Status::kOk};
}

void step(void*) {
  Memory& own = memory.get();
  own.status = solver.get().forward_dynamics(own.in, own.out, own.forces);
}

std::span<const Body> bodies() { return robot::kBodies; }

Input input() {
  RobotSolver::Input& in = memory.get().in;
  return {view(in.q), view(in.v), view(in.tau), view(in.gravity)};
}

Output output() {
  const RobotSolver::Output& out = memory.get().out;
  return {view(out.vdot), view(out.reaction), view(out.lambda), view(memory.get().forces.mu)};
}

Status status() { return memory.get().status; }

}  // namespace lockstep::measure
