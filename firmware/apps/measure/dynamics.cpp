// Alone in its file, so that the linker tells what it takes and the compiler how much stack.
#include "dynamics.hpp"

#include "apps/place.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "robot.hpp"

namespace lockstep::measure {

namespace {

#if LOCKSTEP_MEASURE_TABLE
using Model = TableModel<Scalar, static_cast<int>(robot::kBodies.size()),
                         StaticModel<robot, Scalar>::kHasRotors>;
#else
using Model = robot;
#endif
using RobotSolver = Solver<Model, Scalar>;

struct Memory {
  RobotSolver::Input in;
  RobotSolver::Output out;
  Status status;
};

firmware::Place<Memory> memory;
firmware::Place<RobotSolver> solver;
#if LOCKSTEP_MEASURE_TABLE
firmware::Place<Model> table;
#endif

template <class Values>
auto view(Values& values) {
  return std::span(values.data(), static_cast<std::size_t>(values.size()));
}

}  // namespace

void prepare() {
#if LOCKSTEP_MEASURE_TABLE
  new (&table) Model;
  static_cast<void>(table.get().assign(robot::kBodies));
  new (&solver) RobotSolver(table.get());
#else
  new (&solver) RobotSolver;
#endif
  new (&memory) Memory{solver.get().make_input(), solver.get().make_output(), Status::kOk};
}

void step(void*) {
  memory.get().status = solver.get().forward_dynamics(memory.get().in, memory.get().out);
}

std::span<const Body> bodies() { return robot::kBodies; }

Input input() {
  RobotSolver::Input& in = memory.get().in;
  return {view(in.q), view(in.v), view(in.tau), view(in.gravity)};
}

Output output() {
  const RobotSolver::Output& out = memory.get().out;
  return {view(out.vdot), view(out.reaction), view(out.lambda)};
}

Status status() { return memory.get().status; }

}  // namespace lockstep::measure
