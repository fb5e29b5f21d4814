#include "methods/part_stepper.hpp"

#include <limits>

#include "hosttools/methods/net.hpp"
#include "hosttools/methods/test_parts.hpp"
#include "support/allocation_guard.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

// A mechanism that is stepped part by part.
template <class T = double>
struct PartRun {
  PartRun(const TestMechanism& mechanism, const host::methods::PartTable& table) : run(mechanism) {
    CHECK_TRUE(Status::kOk == stepper.assign(table));
  }

  Status step() { return stepper.step(run.state, run.loads, settings); }
  void steps(double seconds, int count) {
    settings.dt = static_cast<T>(seconds / count);
    for (int i = 0; i < count; ++i) {
      CHECK_TRUE(Status::kOk == step());
      CHECK_TRUE(stepper.errors().position <= settings.tolerance);
      CHECK_TRUE(stepper.errors().velocity <= settings.tolerance / settings.dt);
    }
  }

  TestRun<T> run;
  TestParts<T> stepper{run.table()};
  host::methods::PartSettings<T> settings;
};

// The same motion with the loops' rows solved all at once.
Eigen::VectorXd all_at_once(const TestMechanism& mechanism, double seconds, int count,
                            double tolerance) {
  TestRun<> run(mechanism);
  TestImpulses<Sparse<double>> stepper(run.table());
  const maximal::ImpulseSettings<double> settings = {.dt = seconds / count, .tolerance = tolerance};
  for (int i = 0; i < count; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads, settings));
  }
  return run.state.x;
}

// Three planar bars between two pins of the world.
TestMechanism four_bar() {
  TestMechanism m;
  const maximal::FlatPin<double> pin;
  const PlanarBody bar = {1, 1.0 / 12};
  const double up = 1.5707963267948966;
  m.add(bar, {0, 0.5, up});
  m.add(bar, {0.5, 1, 0});
  m.add(bar, {1, 0.5, up});
  const auto type = ConstraintType::kPointOnLine;
  m.connect(type, kWorld, kAtOrigin, 0, at_point(-0.5, 0, 0), pin);
  m.connect(type, 0, at_point(0.5, 0, 0), 1, at_point(-0.5, 0, 0), pin);
  m.connect(type, 1, at_point(0.5, 0, 0), 2, at_point(0.5, 0, 0), pin);
  m.connect(type, 2, at_point(-0.5, 0, 0), kWorld, at_point(1, 0, 0), pin);
  return m;
}

constexpr maximal::ConstraintRecord rod(int a, int b, double length) {
  constexpr Placement<double> kHere = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
  const maximal::Between<maximal::Distance<double>> between = {kHere, kHere, {length}};
  return {static_cast<int>(ConstraintType::kDistance), a, b,
          maximal::to_numbers<maximal::kMaxConstraintNumbers>(between)};
}

// Three particles in a triangle of rods, and a rod to the world.
struct Triangle {
  template <class T>
  using Types = maximal::StandardTypes<T>;

  static constexpr std::array<maximal::BodyRecord, 3> kBodies = {{{0, {1}}, {0, {2}}, {0, {0.5}}}};
  static constexpr std::array<maximal::ConstraintRecord, 4> kConstraints = {
      rod(kWorld, 0, 1), rod(0, 1, 5), rod(1, 2, 4), rod(2, 0, 3)};
  static constexpr std::array<double, 9> kInitialPoses = {1, 0, 0, 4, 0, 4, 4, 0, 0};
  static constexpr std::array<int, 4> kPartOfConstraint = {0, 0, 0, 1};
  static constexpr std::array<int, 2> kColourOfPart = {0, 1};
};

TestMechanism triangle() {
  TestMechanism m;
  m.bodies.assign(Triangle::kBodies.begin(), Triangle::kBodies.end());
  m.constraints.assign(Triangle::kConstraints.begin(), Triangle::kConstraints.end());
  m.x.assign(Triangle::kInitialPoses.begin(), Triangle::kInitialPoses.end());
  m.v.resize(9);
  return m;
}

template <class T>
void check_same_bits() {
  using Fixed = maximal::StaticMechanism<Triangle, T>;
  using OfFixed = host::methods::PartStepper<Fixed, 2>;
  const host::methods::PartTable parts = {Triangle::kPartOfConstraint, Triangle::kColourOfPart};
  PartRun<T> table(triangle(), parts);
  const auto stepper = std::make_unique<OfFixed>(Fixed{});
  CHECK_TRUE(Status::kOk == stepper->assign(parts));
  typename OfFixed::State fixed = {table.run.state.x, OfFixed::Velocities::Zero(), T(0)};
  const typename OfFixed::Loads loads = {OfFixed::Velocities::Zero(), {T(1), T(2), T(-9.81)}};
  table.run.loads.gravity = loads.gravity;
  table.settings.dt = T(0.002), table.settings.tolerance = T(1e-5);
  for (int i = 0; i < 100; ++i) {
    CHECK_TRUE(Status::kOk == stepper->step(fixed, loads, table.settings));
    CHECK_TRUE(Status::kOk == table.step());
    CHECK_TRUE((fixed.x.array() == table.run.state.x.array()).all());
    CHECK_TRUE((fixed.v.array() == table.run.state.v.array()).all());
  }
  CHECK_TRUE(std::abs(fixed.x[2]) > T(0.05));  // it has moved
}

const std::vector<int> kFourBarParts = {0, 0, 1, 1}, kFourBarColours = {0, 1};

}  // namespace

TEST_GROUP(PartStepper){};

TEST(PartStepper, FourBarMovesAsItsLoopSolvedAtOnce) {
  const TestMechanism m = four_bar();
  PartRun<> parts(m, {kFourBarParts, kFourBarColours});
  parts.settings.tolerance = 1e-10;
  parts.run.loads.gravity = {3, -9.81, 0};
  TestRun<> whole(m);
  TestImpulses<Sparse<double>> stepper(whole.table());
  maximal::ImpulseSettings<double> settings;
  settings.dt = 1e-3, settings.tolerance = 1e-10;
  for (int i = 0; i < 500; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(whole.state, parts.run.loads, settings));
  }
  parts.steps(0.5, 500);
  DOUBLES_EQUAL(0, (parts.run.state.x - whole.state.x).cwiseAbs().maxCoeff(), 1e-6);
  CHECK_TRUE(parts.run.state.x[2] < 1.4);  // it has moved
}

TEST(PartStepper, NetMovesAsItsLoopsSolvedAtOnce) {
  const Net net = hanging_net(5);
  PartRun<> parts(net.mechanism, net.table());
  parts.settings.tolerance = 1e-9;
  parts.steps(0.1, 50);
  const Eigen::VectorXd x = all_at_once(net.mechanism, 0.1, 50, 1e-9);
  DOUBLES_EQUAL(0, (parts.run.state.x - x).cwiseAbs().maxCoeff(), 1e-6);
  const Eigen::Map<const Eigen::VectorXd> start(net.mechanism.x.data(), x.size());
  CHECK_TRUE((x - start).cwiseAbs().maxCoeff() > 0.01);
}

TEST(PartStepper, OnePartIsSolvedInOneSweepARound) {
  TestMechanism chain = four_bar();
  chain.constraints.pop_back();
  const std::vector<int> part_of = {0, 0, 0}, colour_of = {0};
  PartRun<> parts(chain, {part_of, colour_of});
  parts.run.loads.gravity = {3, -9.81, 0};
  parts.steps(0.1, 100);
  CHECK_TRUE(parts.stepper.sweeps() <= 6);
}

TEST(PartStepper, EnergyOfASwingingNetStays) {
  const Net net = hanging_net(5);
  PartRun<> parts(net.mechanism, net.table());
  parts.settings.tolerance = 1e-8;
  const double energy = parts.run.energy();
  parts.steps(0.5, 500);
  DOUBLES_EQUAL(energy, parts.run.energy(), 1e-3 * std::abs(energy));
}

TEST(PartStepper, RowsOfFloatsHold) {
  const Net net = hanging_net(5);
  PartRun<float> parts(net.mechanism, net.table());
  parts.settings.tolerance = 1e-5F;
  parts.steps(0.2, 200);
}

TEST(PartStepper, OrderWithinAColourChangesNoBit) {
  const Net net = hanging_net(5);
  PartRun<> one(net.mechanism, net.table()), other(net.mechanism, net.table());
  one.settings.dt = other.settings.dt = 0.002;
  for (int i = 0; i < 50; ++i) {
    CHECK_TRUE(Status::kOk == one.step());
    CHECK_TRUE(Status::kOk ==
               other.stepper.step_backwards(other.run.state, other.run.loads, other.settings));
  }
  CHECK_TRUE(one.run.state.x == other.run.state.x);
  CHECK_TRUE(one.run.state.v == other.run.state.v);
  CHECK_TRUE(one.stepper.impulse() == other.stepper.impulse());
}

TEST(PartStepper, StaticAndTableHaveTheSameBits) {
  check_same_bits<double>();
  check_same_bits<float>();
}

TEST(PartStepper, StateIsAllThatAStepDependsOn) {
  const Net net = hanging_net(5);
  PartRun<> one(net.mechanism, net.table()), fresh(net.mechanism, net.table());
  one.steps(0.05, 25);
  fresh.run.state = one.run.state;
  fresh.settings = one.settings;
  CHECK_TRUE(Status::kOk == one.step());
  CHECK_TRUE(Status::kOk == fresh.step());
  CHECK_TRUE(one.run.state.x == fresh.run.state.x);
}

TEST(PartStepper, TooFewSweepsAreSaidAndChangeNothing) {
  const Net net = hanging_net(5);
  PartRun<> parts(net.mechanism, net.table());
  parts.settings.dt = 0.01;
  parts.settings.max_sweeps = 2;
  const auto before = parts.run.state;
  CHECK_TRUE(Status::kNotConverged == parts.step());
  CHECK_TRUE(before.x == parts.run.state.x);
  CHECK_TRUE(before.v == parts.run.state.v);
}

// Off by 5e5 m: a tenth of it a step is 5e7 m/s, and one more is the same float.
TEST(PartStepper, SweepsAreBoundedWhateverARowLacks) {
  TestMechanism rod;
  rod.add(Particle{1}, {{1000, 0, 0}});
  rod.connect(ConstraintType::kDistance, kWorld, kAtOrigin, 0, kAtOrigin,
              maximal::Distance<double>{1});
  const std::vector<int> first = {0};
  PartRun<float> parts(rod, {first, first});
  parts.settings.dt = 1e-3F;
  for (const int most : {std::numeric_limits<int>::min(), -1, 0, 3}) {
    parts.settings.max_sweeps = most;
    CHECK_TRUE(Status::kNotConverged == parts.step());
    CHECK_TRUE(1000 == parts.run.state.x[0]);
  }
}

TEST(PartStepper, AnyNumberOfSweepsIsABound) {
  PartRun<> parts(four_bar(), {kFourBarParts, kFourBarColours});
  parts.settings.dt = 1e-3;
  for (const int most : {std::numeric_limits<int>::min(), -1, 0}) {
    parts.settings.max_sweeps = most;
    CHECK_TRUE(Status::kNotConverged == parts.step());
  }
  parts.settings.max_sweeps = std::numeric_limits<int>::max();
  CHECK_TRUE(Status::kOk == parts.step());
}

// The squares of the way and of the length are infinite, their difference is no number; the next
// row holds.
TEST(PartStepper, RowThatIsNotANumberDoesNotHold) {
  const double far = 1e200;
  TestMechanism m;
  m.add(Particle{1}, {{far, 0, 0}});
  m.add(Particle{1}, {{1, 0, 0}});
  m.connect(ConstraintType::kDrivenDistance, kWorld, kAtOrigin, 0, kAtOrigin,
            maximal::FollowDistance<double, maximal::Swing<double>>{far, {{far, 0}, {}}});
  m.connect(ConstraintType::kDistance, kWorld, kAtOrigin, 1, kAtOrigin,
            maximal::Distance<double>{1});
  const std::vector<int> part_of = {0, 0}, colour_of = {0};
  PartRun<> parts(m, {part_of, colour_of});
  parts.run.loads.gravity.setZero();
  parts.settings.dt = 1e-3;
  const auto before = parts.run.state;
  CHECK_TRUE(Status::kOverflow == parts.step());
  CHECK_TRUE(before.x == parts.run.state.x);
  CHECK_TRUE(before.v == parts.run.state.v);
}

TEST(PartStepper, BadSettingsAreToldApart) {
  using Settings = host::methods::PartSettings<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_TRUE(Status::kOk == Settings{.dt = 1}.check());
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    CHECK_TRUE(Status::kBadTimeStep == Settings{.dt = bad}.check());
  }
  for (const double bad : {0.0, -1.0, nan}) {
    CHECK_TRUE(Status::kBadTolerance == (Settings{.dt = 1, .tolerance = bad}.check()));
  }
  for (const double bad : {-1.0, nan, infinity}) {
    const Status status = bad < 0 ? Status::kBadConstraint : Status::kNotFinite;
    CHECK_TRUE(status == (Settings{.dt = 1, .margin = bad}.check()));
    CHECK_TRUE(status == (Settings{.dt = 1, .bounce_speed = bad}.check()));
  }
}

TEST(PartStepper, BadInputIsRefused) {
  const Net net = hanging_net(5);
  PartRun<> parts(net.mechanism, net.table());
  CHECK_TRUE(Status::kBadTimeStep == parts.step());
  parts.settings.dt = 1e-3;
  parts.run.loads.gravity[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == parts.step());
  parts.run.loads.gravity[1] = 0;
  parts.run.state.x[4] = std::numeric_limits<double>::infinity();
  CHECK_TRUE(Status::kNotFinite == parts.step());
  parts.run.state.x.resize(3);
  CHECK_TRUE(Status::kWrongSize == parts.step());
}

TEST(PartStepper, NothingIsAllocated) {
  const Net net = hanging_net(5);
  PartRun<> parts(net.mechanism, net.table());
  parts.settings.dt = 0.002;
  LONGS_EQUAL(0, allocations_in([&] { CHECK_TRUE(Status::kOk == parts.step()); }));
}
