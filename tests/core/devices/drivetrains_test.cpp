#include "lockstep/devices/drivetrains.hpp"

#include <CppUTest/TestHarness.h>

#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "lockstep/hash.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/table_model.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Train = Drivetrain<double>;

std::vector<Body> chain(int bodies) {
  return test::random_tree(
      {.shape = test::Shape::kChain, .bodies = bodies, .seed = 4, .only_turning = true});
}

struct Bench {
  using Table = TableModel<double, 6>;
  explicit Bench(std::span<const Body> bodies) {
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    stepper = std::make_unique<JointStepper<Table>>(table);
    trains = std::make_unique<Drivetrains<Table>>(table);
    state = stepper->make_input();
  }
  void step(const Eigen::VectorXd& command, double dt) {
    CHECK_TRUE(Status::kOk == trains->drive(state.v, command, dt));
    state.tau = trains->tau();
    CHECK_TRUE(Status::kOk ==
               stepper->step(state, dt, Integrator::kSemiImplicitEuler, trains->gains()));
    trains->follow(state.v, state.tau, dt);
  }
  Table table;
  std::unique_ptr<JointStepper<Table>> stepper;
  std::unique_ptr<Drivetrains<Table>> trains;
  JointStepper<Table>::Input state;
};

}  // namespace

TEST_GROUP(Drivetrains){};

TEST(Drivetrains, WithoutFiguresARobotHasTheBitsOfOneWithoutThem) {
  const auto bodies = test::random_tree({.bodies = 6, .seed = 11});
  const std::vector<Train> none(bodies.size());
  Bench with(bodies), without(bodies);
  CHECK_TRUE(Status::kOk == with.trains->set(none));
  for (int i = 0; i < 200; ++i) {
    Eigen::VectorXd command = Eigen::VectorXd::Constant(with.state.tau.size(), std::sin(0.01 * i));
    with.step(command, 0.001);
    without.state.tau = command;
    CHECK_TRUE(Status::kOk ==
               without.stepper->step(without.state, 0.001, Integrator::kSemiImplicitEuler));
    CHECK_TRUE(with.state.q == without.state.q && with.state.v == without.state.v);
  }
}

// rotors behind springs as stiff as can be are armatures
TEST(Drivetrains, AnArmOnStiffSpringsMovesAsOneWithArmatures) {
  auto bodies = chain(4);
  std::vector<Train> trains(bodies.size());
  for (Train& train : trains) train = {.inertia = 0.8, .stiffness = 1e9};
  Bench with(bodies);
  CHECK_TRUE(Status::kOk == with.trains->set(trains));
  for (Body& body : bodies) body.armature = 0.8;
  Bench without(bodies);
  for (int i = 0; i < 1000; ++i) {
    Eigen::VectorXd command(4);
    command << 3, -2, 1, 0.5;
    with.step(command, 0.001);
    without.state.tau = command;
    CHECK_TRUE(Status::kOk ==
               without.stepper->step(without.state, 0.001, Integrator::kSemiImplicitEuler));
  }
  CHECK_AT_MOST(2e-3, test::relative_error(with.state.q, without.state.q), "q");
  CHECK_AT_MOST(5e-3, test::relative_error(with.state.v, without.state.v), "v");
}

// smaller steps, nearer to the truth; and a stiff arm at 1 ms does not blow up
TEST(Drivetrains, SpringsConvergeWithTheStep) {
  const auto bodies = chain(3);
  const auto at_end = [&](double dt) {
    std::vector<Train> trains(bodies.size());
    for (Train& train : trains) {
      train = {.coulomb = 0.02,
               .stiction = 0.02,
               .inertia = 0.3,
               .stiffness = 300,
               .spring_damping = 0.2};
    }
    Bench b(bodies);
    CHECK_TRUE(Status::kOk == b.trains->set(trains));
    const int steps = static_cast<int>(std::lround(0.3 / dt));
    for (int i = 0; i < steps; ++i) b.step(Eigen::Vector3d(2, -1, 0.5), dt);
    return Eigen::VectorXd(b.state.q);
  };
  const Eigen::VectorXd exact = at_end(1e-5);
  const double coarse = (at_end(1e-3) - exact).norm(), fine = (at_end(2.5e-4) - exact).norm();
  CHECK_TRUE(fine < coarse / 3);
  CHECK_AT_MOST(0.05, coarse, "at 1 ms");
}

TEST(Drivetrains, BadNumbersAreRefusedAndChangeNothing) {
  const auto bodies = chain(2);
  Bench b(bodies);
  const Eigen::VectorXd v = Eigen::Vector2d(0.1, 0.2);
  std::vector<Train> trains(2);
  CHECK_TRUE(Status::kWrongSize == b.trains->set(std::span(trains).first(1)));
  trains[1].efficiency = 2;
  CHECK_TRUE(Status::kBadConstraint == b.trains->set(trains));
  CHECK_TRUE(Status::kWrongSize == b.trains->drive(v, v, 0.001));  // none were set
  trains[1] = {.delay = 1};
  CHECK_TRUE(Status::kOk == b.trains->set(trains));
  CHECK_TRUE(Status::kOk == b.trains->drive(v, v, 0.001));
  const Eigen::VectorXd nan = Eigen::Vector2d(0, std::nan(""));
  CHECK_TRUE(Status::kNotFinite == b.trains->drive(nan, v, 0.001));
  CHECK_TRUE(Status::kNotFinite == b.trains->drive(v, nan, 0.001));
  for (const double dt : {0.0, -1.0, HUGE_VAL}) {
    CHECK_TRUE(Status::kBadTimeStep == b.trains->drive(v, v, dt));
  }
  CHECK_TRUE(Status::kWrongSize == b.trains->drive(v, Eigen::VectorXd(v.head(1)), 0.001));
  CHECK_TRUE(Status::kWrongSize == b.trains->drive(Eigen::VectorXd(v.head(1)), v, 0.001));
  CHECK_EQUAL(0.2, b.trains->state(1).waiting[0]);
  CHECK_EQUAL(0.1, b.trains->tau()[0]);
  CHECK_EQUAL(0.0, b.trains->tau()[1]);
}

TEST(Drivetrains, NeverAllocates) {
  const auto bodies = chain(4);
  std::vector<Train> trains(bodies.size(), Train{.inertia = 0.3, .stiffness = 300});
  Bench b(bodies);
  JointStepper<Bench::Table>::Input command = b.state;
  LONGS_EQUAL(0, test::allocations_in([&] {
                CHECK_TRUE(Status::kOk == b.trains->set(trains));
                CHECK_TRUE(Status::kOk == b.trains->drive(b.state.v, command.tau, 0.001));
                b.trains->follow(b.state.v, b.trains->tau(), 0.001);
              }));
}
