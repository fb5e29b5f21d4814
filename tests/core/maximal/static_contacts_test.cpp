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

// Runs a fall onto the floor and gives the hash of all its states.
template <class Mechanism, class Stepper, class Contacts, class Settings>
std::uint64_t fall(const Mechanism& mechanism, Stepper& stepper, Contacts& contacts,
                   Settings settings) {
  using T = typename Mechanism::Scalar;
  const Vec3<T> half = {T(0.5), T(0.05), T(0.05)};
  const Placement<T> origin = touching<T>({}).X_A;
  const std::array<Collider<T>, 2> colliders = {
      {{0, origin, box(half), {T(0.5), T(0.3)}}, {1, origin, capsule(T(0.05), T(0.2)), {T(0.4)}}}};
  const Plane<T> floor = {.material = {T(0.5), T(0.3)}};
  std::array<JointBound<T>, 1> bounds;
  bounds[0].a = kWorld, bounds[0].b = 1;
  bounds[0].coordinate = Coordinate::kAlong;
  bounds[0].X_A = bounds[0].X_B = origin;
  bounds[0].force = T(2);
  CHECK_TRUE(Status::kOk == contacts.assign(colliders, {}, floor, bounds));
  auto state = stepper.solver().make_state();
  const auto loads = stepper.solver().make_loads();
  // the second rod stands up at the end of the first, turned a quarter about y
  state.x[2] = T(0.3), state.x[7] = T(0.5), state.x[9] = T(0.8);
  state.x[11] = static_cast<T>(-std::sqrt(0.5)), state.x[13] = static_cast<T>(std::sqrt(0.5));
  StepSettings<T> assembling;
  assembling.max_solves = 30;
  LagrangeStepper<Mechanism> assembler = [&] {
    if constexpr (Mechanism::kIsStatic) {
      return LagrangeStepper<Mechanism>();
    } else {
      return LagrangeStepper<Mechanism>(mechanism);
    }
  }();
  CHECK_TRUE(Status::kOk == assembler.assemble(state, assembling));
  settings.dt = T(2e-3);
  Hash hash;
  for (int i = 0; i < 600; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(state, loads, settings, contacts));
    hash.add_all(state.x);
    hash.add_all(state.v);
  }
  CHECK(contacts.list().size() > 0);
  return hash.value();
}

template <class T>
void compare() {
  using Static = StaticMechanism<Scissors, T>;
  using Table = TableMechanism<T, 2, 2>;
  auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(Scissors::kBodies, Scissors::kConstraints));
  auto in_table = std::make_unique<maximal::Contacts<Table, 12, 1>>(*table);
  auto constant = std::make_unique<maximal::Contacts<Static, 12, 1>>();
  {
    ImpulseStepper<Static> one;
    auto two = std::make_unique<ImpulseStepper<Table>>(*table);
    ImpulseSettings<T> settings;
    settings.tolerance = T(1e-5);
    CHECK(fall(Static{}, one, *constant, settings) == fall(*table, *two, *in_table, settings));
  }
  LagrangeStepper<Static> one;
  auto two = std::make_unique<LagrangeStepper<Table>>(*table);
  CHECK(fall(Static{}, one, *constant, StepSettings<T>{}) ==
        fall(*table, *two, *in_table, StepSettings<T>{}));
}

}  // namespace

TEST_GROUP(StaticContacts){};

TEST(StaticContacts, ConstantsAndTablesGiveTheSameBits) {
  compare<double>();
  compare<float>();
}
