// Mechanisms in maximal coordinates: Lagrange's and Bender's steppers, and a table.
#include "falling_chain.hpp"
#include "hashes.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "lockstep/maximal/static_mechanism.hpp"
#include "lockstep/maximal/table_mechanism.hpp"
#include "planar_crank.hpp"
#include "rolling_disc.hpp"
#include "scaling_body.hpp"
#include "start_of.hpp"

namespace lockstep::test {

namespace {

using namespace maximal;

template <class Model, class T, class Stepper>
void tell_lagrange(const char* what, Stepper& stepper) {
  Witness<T> witness(what);
  for (const Stabilization stabilization :
       {Stabilization::kBaumgarte, Stabilization::kProjection}) {
    auto state = start_of<Model>(stepper);
    const auto loads = stepper.solver().make_loads();
    for (int i = 0; i < 200; ++i) {
      witness.add(stepper.step(state, loads,
                               {.dt = T(0.002),
                                .integrator = Integrator::kRungeKutta4,
                                .stabilization = stabilization}));
      witness.add(state.x), witness.add(state.v), witness.add(stepper.solution().lambda);
    }
  }
}
template <class Model, class T>
void tell_lagrange(const char* what) {
  static LagrangeStepper<StaticMechanism<Model, T>> stepper;
  tell_lagrange<Model, T>(what, stepper);
}
template <class Model, class T>
void tell_table(const char* what) {
  using Table = TableMechanism<T, 4, 4>;
  static Table table;
  const Status status = table.assign(Model::kBodies, Model::kConstraints);
  if (status != Status::kOk) return Witness<T>(what).add(status);
  static LagrangeStepper<Table> stepper(table);
  tell_lagrange<Model, T>(what, stepper);
}

template <class Model, class T>
void tell_impulses(const char* what) {
  static ImpulseStepper<StaticMechanism<Model, T>> stepper;
  Witness<T> witness(what);
  auto state = start_of<Model>(stepper);
  const auto loads = stepper.solver().make_loads();
  for (int i = 0; i < 200; ++i) {
    witness.add(stepper.step(state, loads, {.dt = T(0.002), .tolerance = T(1e-4)}));
    witness.add(state.x), witness.add(state.v), witness.add(stepper.impulse());
  }
}

template <class T>
void tell_all() {
  tell_lagrange<planar_crank, T>("LagrangeStepper, planar_crank");
  tell_lagrange<rolling_disc, T>("LagrangeStepper, rolling_disc");
  tell_lagrange<scaling_body, T>("LagrangeStepper, scaling_body");
  tell_table<planar_crank, T>("LagrangeStepper, planar_crank in a table");
  tell_impulses<falling_chain, T>("ImpulseStepper, falling_chain");
  tell_impulses<planar_crank, T>("ImpulseStepper, planar_crank");
}

}  // namespace

void tell_mechanisms() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
