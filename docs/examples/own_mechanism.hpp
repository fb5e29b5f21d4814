#pragma once

#include "lockstep/maximal/lagrange_stepper.hpp"
#include "own_body.hpp"
#include "own_constraint.hpp"

// The types that this mechanism is made of: two of one's own, two of Lockstep's.
template <class T>
struct OwnTypes {
  using Scalar = T;
  using Bodies = lockstep::maximal::TypeList<Bead<T>, lockstep::maximal::RigidBody<T>>;
  using Constraints =
      lockstep::maximal::TypeList<lockstep::maximal::Between<lockstep::maximal::Distance<T>>,
                                  lockstep::maximal::Between<Skate<T>>>;
};

// A bead on a rod of one metre to a body on a skate. A record names its type by its place in the
// list and gives the members in their order; a Between has two frames first: axes, then origin.
struct BeadAndSkate {
  template <class T>
  using Types = OwnTypes<T>;
  static constexpr std::array<lockstep::maximal::BodyRecord, 2> kBodies = {{
      {0, {1.5, 0.8}},
      {1, {2, 0.5, 0, 0, 0.6, 0, 0.7}},
  }};
  static constexpr std::array<lockstep::maximal::ConstraintRecord, 2> kConstraints = {{
      {0, 0, 1, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}},
      {1, lockstep::kWorld, 1, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}},
  }};
};

using BeadStepper =
    lockstep::maximal::LagrangeStepper<lockstep::maximal::StaticMechanism<BeadAndSkate, double>>;

// 500 steps of a millisecond from 0.5 along the wire.
inline lockstep::Status let_it_fall(BeadStepper& stepper, BeadStepper::State& state) {
  state = stepper.solver().make_state();
  state.x[0] = 0.5;                                // the bead
  state.x[1] = 0.5 + 0.6, state.x[2] = 0.1 + 0.8;  // the body, one metre away
  const auto loads = stepper.solver().make_loads();
  const lockstep::StepSettings<double> settings = {
      .dt = 1e-3,
      .integrator = lockstep::Integrator::kRungeKutta4,
      .stabilization = lockstep::Stabilization::kProjection};
  lockstep::Status status = lockstep::Status::kOk;
  for (int i = 0; i < 500 && status == lockstep::Status::kOk; ++i) {
    status = stepper.step(state, loads, settings);
  }
  return status;
}
