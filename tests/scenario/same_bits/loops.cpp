// Robots with loops and couplings: their solver, and their steppers in each of their ways.
#include "four_bar.hpp"
#include "geared_chain.hpp"
#include "hashes.hpp"
#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"
#include "lockstep/auxiliary/closed_stepper.hpp"
#include "slider_crank.hpp"

namespace lockstep::test {

namespace {

template <class Model, class T>
constexpr int kRows = ModelRows<Model, T>::kCount;

template <class Model, class T>
void tell_closed_solver(const char* what) {
  static ClosedSolver<Model, T, kRows<Model, T>> solver;
  Witness<T> witness(what);
  auto in = solver.make_input();
  auto out = solver.make_output();
  typename ClosedSolver<Model, T, kRows<Model, T>>::Forces forces;
  Random random;
  for (int i = 0; i < 100; ++i) {
    random.fill(in.q, 0.01);
    random.fill(in.v, 0.1);
    random.fill(in.tau, 2);
    witness.add(solver.forward_dynamics(in, out, forces));
    witness.add_output(out);
    for (int row = 0; row < kRows<Model, T>; ++row) witness.add(forces.mu[at(row)]);
  }
}

template <class Model, class T>
void tell_closed_stepper(const char* what) {
  static ClosedStepper<Model, T, kRows<Model, T>> stepper;
  Witness<T> witness(what);
  for (const Stabilization stabilization :
       {Stabilization::kBaumgarte, Stabilization::kProjection}) {
    for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4,
                                        Integrator::kMidpoint, Integrator::kEulerMiddle}) {
      auto state = stepper.make_input();
      Random random;
      for (int i = 0; i < 100; ++i) {
        random.fill(state.tau, 1);
        witness.add(stepper.step(state, {.dt = T(0.001),
                                         .integrator = integrator,
                                         .stabilization = stabilization,
                                         .tolerance = T(1e-4)}));
        witness.add(state.q), witness.add(state.v);
        witness.add_output(stepper.output());
      }
    }
  }
}

// A loop whose slider reaches its limits.
template <class T>
void tell_limits(const char* what) {
  using Stepper = BoundedStepper<slider_crank, T, Room{.rows = 24, .contacts = 0}>;
  static Stepper stepper;
  Witness<T> witness(what);
  for (const RowSolver solver :
       {RowSolver::kPivoting, RowSolver::kGaussSeidel, RowSolver::kNewton}) {
    stepper.forget();
    auto state = stepper.make_input();
    Random random;
    for (int i = 0; i < 300; ++i) {
      random.fill(state.tau, 4);
      witness.add(stepper.step(state, {.dt = T(0.002), .solver = solver}));
      witness.add(state.q), witness.add(state.v);
    }
  }
}

template <class T>
void tell_all() {
  tell_closed_solver<four_bar, T>("ClosedSolver, four_bar");
  tell_closed_solver<geared_chain, T>("ClosedSolver, geared_chain");
  tell_closed_stepper<four_bar, T>("ClosedStepper, four_bar");
  tell_closed_stepper<geared_chain, T>("ClosedStepper, geared_chain");
  tell_limits<T>("BoundedStepper, slider_crank");
}

}  // namespace

void tell_loops() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
