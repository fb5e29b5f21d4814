// A step on a plane with all that the robot's model brings: rows, bounds of joints, shapes.
#include "apps/place.hpp"
#include "dynamics.hpp"
#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "robot.hpp"
#include "step.hpp"

namespace lockstep::measure {

namespace {

constexpr Room kRoom = {.rows = LOCKSTEP_MEASURE_ROOM, .contacts = LOCKSTEP_MEASURE_CONTACTS};
using Stepper = BoundedStepper<robot, Scalar, kRoom>;
using Shapes = contact::ModelColliders<robot, Scalar>;

struct Memory {
  Stepper::Input in;
  Status status;
};

firmware::Place<Memory> memory;
firmware::Place<Stepper> stepper;

Scene<Scalar> scene() {
  if constexpr (kRoom.contacts == 0) return {};
  return {.colliders = Shapes::colliders(), .pairs = Shapes::pairs(), .ground = kFloor<Scalar>};
}

template <class Values>
auto view(Values& values) {
  return std::span(values.data(), static_cast<std::size_t>(values.size()));
}

}  // namespace

void prepare() {
  new (&stepper) Stepper(scene());
  new (&memory) Memory{stepper.get().make_input(), Status::kOk};
}

void step(void*) {
  const auto settings = step_settings<Scalar>(RowSolver::LOCKSTEP_MEASURE_SOLVER, kRoom.contacts);
  memory.get().status = stepper.get().step(memory.get().in, settings);
}

std::span<const Body> bodies() { return robot::kBodies; }

Input input() {
  Stepper::Input& in = memory.get().in;
  return {view(in.q), view(in.v), view(in.tau), view(in.gravity)};
}

Output output() {
  const auto& [vdot, reaction, lambda] = stepper.get().output();
  const auto& result = stepper.get().result();
  return {view(vdot),
          view(reaction),
          view(lambda),
          std::span(result.forces.data(), static_cast<std::size_t>(result.row_count)),
          view(memory.get().in.q),
          view(memory.get().in.v)};
}

Status status() { return memory.get().status; }

}  // namespace lockstep::measure
