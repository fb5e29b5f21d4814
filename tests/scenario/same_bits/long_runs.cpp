// Eight robots; each hash is over every state that they pass.
//   long_runs [STEPS]      default: 1000000
#include <cstdlib>

#include "double_pendulum.hpp"
#include "four_bar.hpp"
#include "gyroscope.hpp"
#include "hashes.hpp"
#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "lockstep/maximal/static_mechanism.hpp"
#include "planar_crank.hpp"
#include "print.hpp"
#include "quadruped_passes.hpp"
#include "seven_axis_arm.hpp"
#include "six_axis_arm.hpp"
#include "slider_crank.hpp"
#include "start_of.hpp"

namespace lockstep::test {

namespace {

// Pushes that change every 50 steps, less what slows it down.
template <class Input>
void push(long i, double most, double damping, Input& state) {
  using T = typename decltype(state.v)::Scalar;
  for (Eigen::Index k = 0; k < state.v.size(); ++k) {
    const auto level = static_cast<double>((i / 50 + 7 * k) % 11 - 5);
    state.tau[k] = static_cast<T>(most * level / 5) - static_cast<T>(damping) * state.v[k];
  }
}

template <class T, class State, class Step>
void run(const char* what, long steps, State& state, Step&& step) {
  Witness<T> witness(what);
  for (long i = 0; i < steps; ++i) {
    const Status status = step(i, state);
    witness.add(status);
    if constexpr (requires { state.q; }) witness.add(state.q);
    if constexpr (requires { state.x; }) witness.add(state.x);
    witness.add(state.v);
    if (!has_moved(status)) return;
  }
}

template <class Model, class T>
void run_tree(const char* what, long steps, double most, double damping, Integrator integrator) {
  static JointStepper<Model, T> stepper;
  auto state = stepper.make_input();
  run<T>(what, steps, state, [&](long i, auto& own) {
    push(i, most, damping, own);
    return stepper.step(own, T(0.001), integrator);
  });
}

template <class T>
void run_loop(const char* what, long steps) {
  static ClosedStepper<four_bar, T, ModelRows<four_bar, T>::kCount> stepper;
  auto state = stepper.make_input();
  run<T>(what, steps, state, [&](long i, auto& own) {
    push(i, 0.3, 0.02, own);
    return stepper.step(own, {.dt = T(0.001)});
  });
}

template <class T>
void run_limits(const char* what, long steps) {
  static BoundedStepper<slider_crank, T, Room{.rows = 24, .contacts = 0}> stepper;
  auto state = stepper.make_input();
  run<T>(what, steps, state, [&](long i, auto& own) {
    push(i, 2, 0.02, own);
    return stepper.step(own, {.dt = T(0.001)});
  });
}

// Lands, and is pushed about where it stands.
template <class T>
void run_standing(const char* what, long steps) {
  using Shapes = contact::ModelColliders<quadruped_passes, T>;
  static BoundedStepper<quadruped_passes, T, Room{.rows = 84, .contacts = 16}> stepper(
      Scene<T>{.colliders = Shapes::colliders(), .pairs = {}, .ground = {.material = {T(0.8)}}});
  auto state = stepper.make_input();
  state.q[2] = T(0.4);
  const auto held = state.q;
  run<T>(what, steps, state, [&](long i, auto& own) {
    push(i, 1, 0.3, own);
    own.tau.template head<6>().setZero();
    for (Eigen::Index k = 6; k < own.v.size(); ++k) {
      own.tau[k] = own.tau[k] + T(30) * (held[k + 1] - own.q[k + 1]);
    }
    return stepper.step(own, {.dt = T(0.001)});
  });
}

template <class Model, class T, template <class> class Stepper, class Settings>
void run_mechanism(const char* what, long steps, const Settings& settings) {
  static Stepper<maximal::StaticMechanism<Model, T>> stepper;
  auto state = start_of<Model>(stepper);
  const auto loads = stepper.solver().make_loads();
  run<T>(what, steps, state, [&](long, auto& own) { return stepper.step(own, loads, settings); });
}
template <class Mechanism>
using ByLagrange = maximal::LagrangeStepper<Mechanism>;
template <class Mechanism>
using ByImpulses = maximal::ImpulseStepper<Mechanism>;

void run_all(long steps) {
  run_tree<six_axis_arm, float>("six_axis_arm", steps, 8, 2, Integrator::kSemiImplicitEuler);
  run_tree<seven_axis_arm, double>("seven_axis_arm", steps, 4, 2, Integrator::kSemiImplicitEuler);
  run_tree<double_pendulum, double>("double_pendulum", steps, 0, 0, Integrator::kRungeKutta4);
  run_loop<double>("four_bar", steps);
  run_limits<float>("slider_crank", steps);
  run_standing<float>("quadruped", steps);
  run_mechanism<planar_crank, double, ByLagrange>("planar_crank", steps,
                                                  StepSettings<double>{.dt = 0.001});
  run_mechanism<gyroscope, double, ByImpulses>("gyroscope", steps,
                                               maximal::ImpulseSettings<double>{.dt = 0.001});
}

}  // namespace

}  // namespace lockstep::test

int main(int argc, char** argv) {
  lockstep::test::run_all(argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1'000'000);
  return lockstep::test::all_went() ? 0 : 1;
}
