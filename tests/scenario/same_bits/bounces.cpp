// A mechanism that touches the ground: a ball bounces, by either stepper.
#include "bouncing_ball.hpp"
#include "hashes.hpp"
#include "lockstep/maximal/contacts.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "lockstep/maximal/model_contacts.hpp"
#include "lockstep/maximal/static_mechanism.hpp"
#include "start_of.hpp"

namespace lockstep::test {

namespace {

using namespace maximal;

template <class T>
void tell_bounces(const char* what) {
  using Model = bouncing_ball;
  using Mechanism = StaticMechanism<Model, T>;
  using Shapes = ModelContacts<Model, T>;
  using Touching = Contacts<Mechanism, Shapes::kMostContacts>;
  static LagrangeStepper<Mechanism> by_forces;
  static ImpulseStepper<Mechanism> by_impulses;
  static Touching contacts;
  const Touching untouched = contacts;
  Witness<T> witness(what);
  const auto bounce = [&](auto& stepper, const auto& settings) {
    contacts = untouched;
    witness.add(contacts.assign({Shapes::kColliders, Shapes::kPairs, Shapes::kGround}));
    auto state = start_of<Model>(stepper);
    const auto loads = stepper.solver().make_loads();
    for (int i = 0; i < 400; ++i) {
      witness.add(stepper.step(state, loads, settings, contacts));
      witness.add(state.x), witness.add(state.v);
    }
  };
  bounce(by_forces, StepSettings<T>{.dt = T(0.005)});
  bounce(by_impulses, ImpulseSettings<T>{.dt = T(0.005), .tolerance = T(1e-4)});
}

}  // namespace

void tell_bounces() {
  tell_bounces<float>("contacts, bouncing_ball");
  tell_bounces<double>("contacts, bouncing_ball");
}

}  // namespace lockstep::test
