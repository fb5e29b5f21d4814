#include "lockstep/auxiliary/bounded_stepper.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <memory>

#include "core/auxiliary/bounded_machine.hpp"
#include "support/allocation_guard.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using Machine = test::BoundedMachine;

namespace {

template <class T>
using Fixed = test::MachineStepper<T>;
template <class T>
using AtRunTime = test::TestBounded<T>;

template <class T>
auto start(const auto& stepper) {
  auto state = stepper.make_input();
  const auto pose = Machine::pose(1, -1.2, 0.1);
  for (int i = 0; i < Machine::kDofs; ++i) {
    state.q[i] = static_cast<T>(pose[static_cast<std::size_t>(i)]);
  }
  state.gravity << 0, T(-9.81), 0;
  return state;
}

template <class T>
void check_both_forms(RowSolver solver) {
  const contact::Collider<T> ball = Machine::ball(T(0.4));
  const Scene<T> scene = {
      .colliders = {&ball, 1}, .pairs = {}, .ground = Machine::floor(T(-0.2), T(0.4))};
  const auto table = std::make_unique<test::TestModel<T>>();
  CHECK(table->assign(Machine::kBodies) == Status::kOk);
  const auto fixed = std::make_unique<Fixed<T>>(scene);
  const auto other =
      std::make_unique<AtRunTime<T>>(*table, Machine::tree(), kJointLimits<Machine, T>, scene);
  auto state = start<T>(*fixed);
  auto same = start<T>(*other);
  int touched = 0;
  for (int i = 0; i < 1000; ++i) {
    CHECK(has_moved(fixed->step(state, {.dt = T(1e-3), .solver = solver})));
    CHECK(has_moved(other->step(same, {.dt = T(1e-3), .solver = solver})));
    touched += fixed->result().contact_count;
    CHECK_AT_MOST(1e-3, static_cast<double>(fixed->result().errors.position), "errors");
  }
  CHECK(touched > 20);
  CHECK(state.q == same.q && state.v == same.v);
  CHECK(fixed->output().reaction == other->output().reaction);
  CHECK(fixed->result().forces == other->result().forces);
}

// One free body of 2 kg.
constexpr Body kFree = {
    .joint = JointType::kFloating, .mass = 2, .inertia = {0.01, 0, 0, 0.02, 0, 0.03}};
template <class Stepper = AtRunTime<double>>
struct Free {
  using Model = test::TestModel<double>;

  explicit Free(const contact::Collider<double>& collider)
      : shape(collider),
        stepper(model(), {}, {}, {.colliders = {&shape, 1}, .pairs = {}, .ground = {}}),
        state(stepper.make_input()) {}
  const Model& model() {
    CHECK(table.assign({&kFree, 1}) == Status::kOk);
    return table;
  }
  Model table;
  contact::Collider<double> shape;
  Stepper stepper;
  typename Stepper::Input state;
};

// With room for less than what acts on it.
template <Room kRoom>
using Small = BoundedStepper<test::TestModel<double>, double, kRoom, NoRows>;

template <class T>
contact::Collider<T> collider(const contact::Shape<T>& shape) {
  const T o(0), one(1);
  return {.body = 0, .X_BS = {{{one, o, o}, {o, one, o}, {o, o, one}}, {}}, .shape = shape};
}

}  // namespace

TEST_GROUP(BoundedStepper){};

TEST(BoundedStepper, BothFormsGiveTheSameBits) {
  for (const RowSolver solver : {RowSolver::kPivoting, RowSolver::kGaussSeidel}) {
    check_both_forms<double>(solver);
    check_both_forms<float>(solver);
  }
}

TEST(BoundedStepper, DeepestContactsStayAndTheOthersAreCounted) {
  Free all(collider(contact::box(Vec3<double>{0.1, 0.2, 0.3})));
  Free<Small<Room{12, 2}>> two(collider(contact::box(Vec3<double>{0.1, 0.2, 0.3})));
  Free<Small<Room{7, 4}>> rows_for_two(collider(contact::box(Vec3<double>{0.1, 0.2, 0.3})));
  const auto left_out = [](auto& body) {
    body.state.q[2] = 0.3;
    body.state.q[4] = 1e-3, body.state.q[6] = std::sqrt(1 - 1e-6);  // x side down
    CHECK(body.stepper.step(body.state, {.dt = 1e-3}) == Status::kOk);
    for (const auto& touch : body.stepper.result().contacts()) {
      if (body.stepper.result().contact_count == 2) CHECK(touch.contact.point.x > 0);
    }
    return body.stepper.result().contacts_left_out;
  };
  LONGS_EQUAL(0, left_out(all));
  LONGS_EQUAL(4, all.stepper.result().contact_count);
  LONGS_EQUAL(2, left_out(two));
  LONGS_EQUAL(2, left_out(rows_for_two));
}

TEST(BoundedStepper, GivenContactsAreAsGoodAsFound) {
  Free found(collider(contact::sphere(0.1)));
  Free given(collider(contact::sphere(0.0)));
  found.state.q[2] = given.state.q[2] = 0.11;
  found.state.v[0] = given.state.v[0] = 1;
  for (int i = 0; i < 200; ++i) {
    CHECK(found.stepper.step(found.state, {.dt = 1e-3}) == Status::kOk);
    const auto touches = found.stepper.result().contacts();
    const bool touches_now = !touches.empty();
    const contact::Contact<double> own =
        touches_now ? touches[0].contact : contact::Contact<double>{};
    CHECK(given.stepper.step(given.state, {.dt = 1e-3},
                             {.contacts = {&own, touches_now ? 1u : 0u}}) == Status::kOk);
  }
  CHECK(found.state.q == given.state.q && found.state.v == given.state.v);
  DOUBLES_EQUAL(2 * 9.81, given.stepper.result().contacts()[0].normal, 1e-9);
}

// A brake of the caller's own against the joint's own dry friction, and a sled on own friction.
TEST(BoundedStepper, OwnRowsActAsTheLibrarys) {
  const Body slider = {.joint = JointType::kPrismatic, .mass = 2, .friction = 3};
  const JointLimits<double> bounds = to_joint_limits<double>(slider);
  test::TestModel<double> model;
  CHECK(model.assign({&slider, 1}) == Status::kOk);
  using Stepper = AtRunTime<double>;
  Stepper rubbed(model, {}, {&bounds, 1}), braked(model, {}, {});
  auto state = rubbed.make_input(), same = state;
  const auto term = auxiliary::joint_term(JointType::kPrismatic, 0, 0, 1.0);
  const auto brake = [&](Stepper::Collected& rows) {
    return rows.add_own({&term, 1}, 0, {.kind = rows::RowKind::kBoxed, .lower = -3, .upper = 3});
  };
  for (int i = 0; i < 100; ++i) {
    CHECK(rubbed.step(state, {.dt = 1e-3}) == Status::kOk);
    CHECK(braked.step(same, {.dt = 1e-3}, {}, brake) == Status::kOk);
    CHECK_EQUAL(rubbed.result().force(RowOf::kFriction, 0), braked.result().force(RowOf::kOwn, 0));
  }
  CHECK(state.v == same.v);

  Free sled(collider(contact::sphere(0.0)));
  sled.state.q[2] = 1, sled.state.v[0] = 1;
  const auto held = auxiliary::wrench_term<double>(0, {{0, 0, 1}, {}});
  const auto along = auxiliary::wrench_term<double>(0, {{1, 0, 0}, {}});
  const auto own = [&](auto& rows) {
    const Status status = rows.add_own({&held, 1}, 0, {.kind = rows::RowKind::kUnilateral});
    if (status != Status::kOk) return status;
    return rows.add_own({&along, 1}, 0,
                        {.kind = rows::RowKind::kFriction, .normal = 0, .coefficient = 0.2});
  };
  for (int i = 0; i < 100; ++i) {
    CHECK(sled.stepper.step(sled.state, {.dt = 1e-3}, {}, own) == Status::kOk);
  }
  DOUBLES_EQUAL(1 - 0.2 * 9.81 * 0.1, sled.state.v[0], 1e-12);
  DOUBLES_EQUAL(0, sled.state.v[2], 1e-15);
}

TEST(BoundedStepper, ExternalWrenchesAct) {
  for (const RowSolver solver : {RowSolver::kNewton, RowSolver::kPivoting}) {
    Free body(collider(contact::sphere(0.0)));
    body.state.q[2] = 1;
    auto wrench = body.stepper.make_wrenches();
    wrench(2, 0) = 2 * 9.81 + 1;
    CHECK(body.stepper.step(body.state, {.dt = 1e-3, .solver = solver}, {.external = &wrench}) ==
          Status::kOk);
    DOUBLES_EQUAL(0.5e-3, body.state.v[2], 1e-15);
  }
}

// The same contact as seen from the other side: the ground is pushed by the body.
TEST(BoundedStepper, ContactsActAlikeFromEitherSide) {
  for (const RowSolver solver : {RowSolver::kNewton, RowSolver::kPivoting}) {
    Free body(collider(contact::sphere(0.0)));
    Free other(collider(contact::sphere(0.0)));
    body.state.q[2] = other.state.q[2] = 1;
    body.state.v[0] = other.state.v[0] = 1;
    body.state.v[4] = other.state.v[4] = 0.3;
    for (int i = 0; i < 20; ++i) {
      contact::Contact<double> from = {.a = 0,
                                       .point = {body.state.q[0], 0, 0.9},
                                       .normal = {0, 0, 1},
                                       .distance = -1e-5,
                                       .material = {.friction = 0.2}};
      contact::Contact<double> to = from;
      to.a = kWorld, to.b = 0, to.normal = {0, 0, -1};
      to.point.x = other.state.q[0];
      const BoundedSettings<double> settings = {.dt = 1e-4, .solver = solver};
      CHECK(body.stepper.step(body.state, settings, {.contacts = {&from, 1}}) == Status::kOk);
      CHECK(other.stepper.step(other.state, settings, {.contacts = {&to, 1}}) == Status::kOk);
      CHECK_AT_MOST(1e-9, test::relative_error(other.state.q, body.state.q), "q");
      CHECK_AT_MOST(1e-7, test::relative_error(other.state.v, body.state.v), "v");
    }
    CHECK(body.state.v[0] < 0.999);  // it rubs
    // and a body that touches itself is not moved by that
    Free alone(collider(contact::sphere(0.0)));
    alone.state.q[2] = 1;
    const contact::Contact<double> own = {
        .a = 0, .b = 0, .point = {0, 0, 0.9}, .normal = {0, 0, 1}, .distance = 0, .material = {}};
    CHECK(alone.stepper.step(alone.state, {.dt = 1e-3, .solver = solver},
                             {.contacts = {&own, 1}}) == Status::kOk);
    DOUBLES_EQUAL(-9.81e-3, alone.state.v[2], 1e-15);
  }
}

TEST(BoundedStepper, OwnRowsWithoutAMeaningAreRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Free sled(collider(contact::sphere(0.0)));
  const auto before = sled.state;
  const auto along = auxiliary::wrench_term<double>(0, {{1, 0, 0}, {}});
  const auto verdict = [&](const rows::RowBound<double>& row, double target) {
    const Status status = sled.stepper.step(sled.state, {.dt = 1e-3}, {}, [&](auto& rows) {
      return rows.add_own({&along, 1}, 0, row, target);
    });
    CHECK(sled.state.q == before.q && sled.state.v == before.v);
    return status;
  };
  for (const int normal : {-1, 1}) {  // no row before it
    CHECK(verdict({.kind = rows::RowKind::kFriction, .normal = normal}, 0) ==
          Status::kBadConstraint);
  }
  CHECK(verdict({}, kNan) == Status::kNotFinite);
  CHECK(verdict({.compliance = kNan}, 0) == Status::kNotFinite);
  CHECK(verdict({.compliance = -1}, 0) == Status::kBadConstraint);
}

TEST(BoundedStepper, AFloatingBodyNeedsAllOfItsNumbers) {
  for (const RowSolver solver : {RowSolver::kNewton, RowSolver::kPivoting}) {
    const auto refuses = [&](Status expected, auto&& spoil) {
      Free body(collider(contact::sphere(0.0)));
      body.state.q[2] = 1;
      spoil(body.state);
      const auto before = body.state;
      CHECK(body.stepper.step(body.state, {.dt = 1e-3, .solver = solver}) == expected);
      CHECK(body.state.q == before.q && body.state.v == before.v);
    };
    refuses(Status::kWrongSize, [](auto& state) { state.q.conservativeResize(6); });
    refuses(Status::kWrongSize, [](auto& state) { state.v.conservativeResize(5); });
    refuses(Status::kWrongSize, [](auto& state) { state.tau.conservativeResize(5); });
    refuses(Status::kOverflow, [](auto& state) { state.v.setConstant(1e200); });
    refuses(Status::kOverflow, [](auto& state) { state.q[0] = state.v[0] = 1.79e308; });
  }
}

TEST(BoundedStepper, BadInputChangesNothing) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto stepper = std::make_unique<Fixed<double>>();
  const auto good = start<double>(*stepper);
  auto state = good;
  CHECK(stepper->step(state, {.dt = 1e-3}) == Status::kOk);
  const auto result = stepper->result().forces;
  const auto refuses = [&](Status expected, const BoundedSettings<double>& settings, auto&& spoil,
                           const typename Fixed<double>::Demands& demands = {}) {
    for (const RowSolver solver : {settings.solver, RowSolver::kPivoting}) {
      if (settings.solver > RowSolver::kNewton && solver != settings.solver) continue;
      BoundedSettings<double> own = settings;
      own.solver = solver;
      state = good;
      spoil(state);
      const auto before = state;
      CHECK(stepper->step(state, own, demands) == expected);
      for (int i = 0; i < Machine::kDofs; ++i) {
        CHECK(state.q[i] == before.q[i] || before.q[i] != before.q[i]);
        CHECK(state.v[i] == before.v[i] || before.v[i] != before.v[i]);
      }
      CHECK(stepper->result().forces == result);
    }
  };
  const auto keep = [](auto&) {};
  refuses(Status::kBadTimeStep, {.dt = 0}, keep);
  refuses(Status::kBadTimeStep, {.dt = kNan}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .reach = -1}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .contact = {.slop = kNan}}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .gains = {kNan, 0}}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .gains = {0, -1}}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .solver = static_cast<RowSolver>(3)}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .pivoting = {.pivots = -1}}, keep);
  refuses(Status::kBadTolerance, {.dt = 1e-3, .pivoting = {.tolerance = kNan}}, keep);
  refuses(Status::kBadTolerance, {.dt = 1e-3, .gauss_seidel = {.tolerance = -1}}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .gauss_seidel = {.sweeps = -1}}, keep);
  refuses(Status::kNotFinite, {.dt = 1e-3}, [](auto& bad) { bad.q[3] = kNan; });
  refuses(Status::kNotFinite, {.dt = 1e-3}, [](auto& bad) { bad.v[1] = kNan; });
  refuses(Status::kNotFinite, {.dt = 1e-3}, [](auto& bad) { bad.tau[5] = kNan; });
  contact::Contact<double> contact = {
      .a = 7, .point = {}, .normal = {0, 1, 0}, .distance = 0, .material = {}};
  refuses(Status::kBadFrame, {.dt = 1e-3}, keep, {.contacts = {&contact, 1}});
  contact.a = 2, contact.distance = kNan;
  refuses(Status::kBadConstraint, {.dt = 1e-3}, keep, {.contacts = {&contact, 1}});
  const std::array<Drive<double>, test::kTestRoom.rows> drives = {};
  refuses(Status::kTooManyRows, {.dt = 1e-3}, keep, {.drives = drives});
}

TEST(BoundedStepper, TablesWithoutAMeaningAreRefused) {
  contact::Collider<double> wrong = Machine::ball(0.4);
  wrong.body = Machine::kDofs;
  const auto stepper = std::make_unique<Fixed<double>>(
      Scene<double>{.colliders = {&wrong, 1}, .pairs = {}, .ground = {}});
  auto state = start<double>(*stepper);
  CHECK(stepper->step(state, {.dt = 1e-3}) == Status::kBadFrame);

  const auto table = std::make_unique<test::TestModel<double>>();
  CHECK(table->assign(Machine::kBodies) == Status::kOk);
  const JointLimits<double> one;
  const auto other =
      std::make_unique<AtRunTime<double>>(*table, Machine::tree(), std::span(&one, 1));
  auto same = start<double>(*other);
  CHECK(other->step(same, {.dt = 1e-3}) == Status::kWrongSize);
  std::array<JointLimits<double>, Machine::kDofs> limits;
  limits[3] = {.lower = 1, .upper = 0};
  const auto crossed = std::make_unique<AtRunTime<double>>(*table, Machine::tree(), limits);
  CHECK(crossed->step(same, {.dt = 1e-3}) == Status::kBadConstraint);
}

TEST(BoundedStepper, AllocatesNothing) {
  const contact::Collider<float> ball = Machine::ball(0.4f);
  const auto stepper = std::make_unique<Fixed<float>>(
      Scene<float>{.colliders = {&ball, 1}, .pairs = {}, .ground = Machine::floor(-0.2f, 0.4f)});
  auto state = start<float>(*stepper);
  LONGS_EQUAL(0, test::allocations_in([&] {
                for (int i = 0; i < 300; ++i) {
                  CHECK(stepper->step(state, {.dt = 1e-3f}) == Status::kOk);
                }
              }));
}

// The step is taken, and its status tells.
TEST(BoundedStepper, ASolverThatStopsShortIsToldByTheStatus) {
  const contact::Collider<double> ball = Machine::ball(0.4);
  const Scene<double> scene = {
      .colliders = {&ball, 1}, .pairs = {}, .ground = Machine::floor(-0.2, 0.4)};
  const auto stepper = std::make_unique<Fixed<double>>(scene);
  auto state = start<double>(*stepper);
  const BoundedSettings<double> settings = {
      .dt = 1e-3, .solver = RowSolver::kGaussSeidel, .gauss_seidel = {.sweeps = 1}};
  int short_of = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto before = state.q;
    const Status status = stepper->step(state, settings);
    CHECK(has_moved(status));
    CHECK(before != state.q);
    const bool used_up = stepper->result().stop == rows::Stop::kSweepsUsedUp;
    CHECK((status == Status::kStoppedShort) == used_up);
    short_of += used_up ? 1 : 0;
  }
  CHECK(short_of > 10);
}
