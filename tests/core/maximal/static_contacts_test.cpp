// Contacts and bounds on a mechanism of constants against the same in a table.
#include <CppUTest/TestHarness.h>

#include "core/maximal/touching.hpp"
#include "lockstep/hash.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::contact;
using namespace lockstep::maximal;

namespace {

// Two rods on a hinge, tied to each other by a rod: a loop.
struct Scissors {
  template <class T>
  using Types = StandardTypes<T>;
  static constexpr std::array<BodyRecord, 2> kBodies = {{
      {static_cast<int>(BodyType::kRigid), {1.2, 0.02, 0, 0, 0.11, 0, 0.1}},
      {static_cast<int>(BodyType::kRigid), {0.8, 0.02, 0, 0, 0.09, 0, 0.1}},
  }};
  static constexpr std::array<double, kMaxConstraintNumbers> kPin = {
      1, 0, 0, 0, 0, -1, 0, 1, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, -1, 0, 1, 0, -0.5, 0, 0};
  static constexpr std::array<double, kMaxConstraintNumbers> kTie = {
      1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0, 0, 0.6};
  static constexpr std::array<ConstraintRecord, 2> kConstraints = {{
      {static_cast<int>(ConstraintType::kRevolute), 0, 1, kPin},
      {static_cast<int>(ConstraintType::kDistance), 0, 1, kTie},
  }};
};

template <class T>
constexpr Placement<T> kOrigin = {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}, {}};

template <class T>
std::vector<Collider<T>> colliders() {
  const Vec3<T> half = {T(0.5), T(0.05), T(0.05)};
  return {{0, kOrigin<T>, box(half), {T(0.5), T(0.3)}},
          {1, kOrigin<T>, capsule(T(0.05), T(0.2)), {T(0.4)}}};
}
template <class T>
Plane<T> ground() {
  return {.material = {T(0.5), T(0.3)}};
}
template <class T>
JointBound<T> friction() {
  JointBound<T> bound;
  bound.a = kWorld, bound.b = 1;
  bound.coordinate = Coordinate::kAlong;
  bound.X_A = bound.X_B = kOrigin<T>;
  bound.limits.friction = T(2);
  return bound;
}

// Runs a fall onto the floor and gives the hash of all its states.
template <class State, class Assembler, class Step>
std::uint64_t fall(State& state, Assembler& assembler, Step&& step) {
  using T = typename Assembler::T;
  // the second rod stands up at the end of the first, turned a quarter about y
  state.x[2] = T(0.3), state.x[7] = T(0.5), state.x[9] = T(0.8);
  state.x[11] = static_cast<T>(-std::sqrt(0.5)), state.x[13] = static_cast<T>(std::sqrt(0.5));
  StepSettings<T> assembling;
  assembling.max_solves = 30;
  CHECK_TRUE(Status::kOk == assembler.assemble(state, assembling));
  Hash hash;
  for (int i = 0; i < 600; ++i) {
    CHECK_TRUE(Status::kOk == step());
    hash.add_all(state.x);
    hash.add_all(state.v);
  }
  return hash.value();
}

template <class T>
std::uint64_t fall_in_table(bool by_impulses) {
  TestMechanism scissors;
  scissors.bodies.assign(Scissors::kBodies.begin(), Scissors::kBodies.end());
  scissors.constraints.assign(Scissors::kConstraints.begin(), Scissors::kConstraints.end());
  scissors.x = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
  scissors.v.resize(12);
  Touching<T> t(scissors);
  t.colliders = colliders<T>();
  t.ground = ground<T>();
  t.bounds = {friction<T>()};
  t.run.settings.dt = t.impulses.dt = T(2e-3);
  t.impulses.tolerance = T(1e-5);
  t.assign();
  const std::uint64_t hash =
      fall(t.run.state, t.run.stepper(), [&] { return t.try_step(by_impulses); });
  CHECK(t.contacts->list().size() > 0);
  return hash;
}

template <class Stepper, class Settings>
std::uint64_t fall_of_constants(Settings settings) {
  using T = typename Stepper::T;
  using Static = StaticMechanism<Scissors, T>;
  Stepper stepper;
  const auto contacts = std::make_unique<maximal::Contacts<Static, 12, 1>>();
  const std::vector<Collider<T>> shapes = colliders<T>();
  const std::array<JointBound<T>, 1> bounds = {friction<T>()};
  CHECK_TRUE(Status::kOk == contacts->assign({shapes, {}, ground<T>()}, bounds));
  auto state = stepper.solver().make_state();
  const auto loads = stepper.solver().make_loads();
  LagrangeStepper<Static> assembler;
  settings.dt = T(2e-3);
  const std::uint64_t hash =
      fall(state, assembler, [&] { return stepper.step(state, loads, settings, *contacts); });
  CHECK(contacts->list().size() > 0);
  return hash;
}

template <class T>
void compare() {
  using Static = StaticMechanism<Scissors, T>;
  const ImpulseSettings<T> impulses = {.tolerance = T(1e-5)};
  CHECK(fall_of_constants<ImpulseStepper<Static>>(impulses) == fall_in_table<T>(true));
  CHECK(fall_of_constants<LagrangeStepper<Static>>(StepSettings<T>{}) == fall_in_table<T>(false));
}

}  // namespace

TEST_GROUP(StaticContacts){};

TEST(StaticContacts, ConstantsAndTablesGiveTheSameBits) {
  compare<double>();
  compare<float>();
}
