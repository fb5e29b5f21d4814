#include "loop/plant.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "lockstep/table_model.hpp"
#include "model/load.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"

using namespace lockstep;

namespace {

template <class T>
struct Bench {
  using Table = TableModel<T, 40>;
  using Plant = firmware::Plant<Table, T>;
  using Motion = typename Plant::Motion;
  explicit Bench(std::span<const Body> bodies) {
    CHECK_TRUE(Status::kOk == robot->table().assign(bodies));
    settings.resize(robot->view().counts().v);
    plant = std::make_unique<Plant>(*robot);
  }
  void set(const host::DenseInput& from) {
    plant->incoming().q = from.q.cast<T>();
    plant->incoming().v = from.v.cast<T>();
    plant->incoming().tau = from.tau.cast<T>();
    CHECK_TRUE(Status::kOk == plant->set_state(0, Hash().value()));
  }
  Status command(T tau) {
    plant->incoming().tau.setConstant(tau);
    return plant->set_command();
  }
  void advance(int steps) {
    for (int i = 0; i < steps; ++i) CHECK_TRUE(Status::kOk == plant->advance(settings));
  }
  std::unique_ptr<firmware::Robot<Table, T>> robot = std::make_unique<firmware::Robot<Table, T>>();
  firmware::Settings<Table, T> settings;
  std::unique_ptr<Plant> plant;
};

template <class Plant>
void check_same(const Plant& a, const Plant& b) {
  CHECK_TRUE(a.step() == b.step() && a.hash() == b.hash());
  CHECK_TRUE(a.motion().q == b.motion().q && a.motion().v == b.motion().v);
  CHECK_TRUE(a.motion().tau == b.motion().tau);
}

std::vector<std::vector<Body>> robots() {
  std::vector<std::vector<Body>> all;
  for (const char* name : {"six_axis_arm", "quadruped"}) {
    host::LoadOptions options;
    options.file = std::string(LOCKSTEP_MODELS_DIR) + "/" + name + ".urdf";
    options.quiet = true;
    if (name[0] == 'q') options.reduce.base = host::ReduceOptions::Base::kFloating;
    all.push_back(host::load_tree(options).bodies);
  }
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    all.push_back(test::random_tree({.shape = test::Shape::kForest, .bodies = 6, .seed = seed}));
  }
  return all;
}

template <class T>
void check_against_stepper(Integrator integrator) {
  for (const auto& bodies : robots()) {
    test::Random random(3);
    const host::DenseInput start = test::random_state(bodies, random);
    Bench<T> b(bodies);
    b.set(start);
    b.settings.integrator = integrator;
    b.settings.gravity = {T(1), T(-2), T(-9)};
    b.settings.dt = T(0.0005);

    JointStepper<typename Bench<T>::Table, T> stepper(b.robot->view());
    auto state = stepper.make_input();
    state.q = start.q.cast<T>(), state.v = start.v.cast<T>();
    state.gravity = b.settings.gravity;
    Hash hash;
    for (std::uint64_t step = 0; step < 20; ++step) {
      const T tau = static_cast<T>(random.uniform(-1, 1));
      CHECK_TRUE(Status::kOk == b.command(tau));
      state.tau.setConstant(tau);
      b.advance(1);
      CHECK_TRUE(Status::kOk == stepper.step(state, b.settings.dt, integrator));
      for (const T value : state.q) hash.add(value);
      for (const T value : state.v) hash.add(value);
      CHECK_TRUE(b.plant->motion().q == state.q && b.plant->motion().v == state.v);
      CHECK_TRUE(b.plant->motion().tau == state.tau);
      CHECK_TRUE(b.plant->hash() == hash.value() && b.plant->step() == step + 1);
    }
  }
}

// A robot that all drives can move, with limits that cut.
template <class T>
void limit_and_wave(Bench<T>& b, link::DriveMode drive) {
  b.settings.drive = drive;
  b.settings.limits.effort.setConstant(T(4));
  b.settings.limits.effort_rate.setConstant(T(200));
  b.settings.waves.amplitude.setConstant(T(5));
  b.settings.waves.increment.setConstant(1u << 26);
}

template <class T>
void check_continues(link::DriveMode drive) {
  const auto bodies = test::random_tree({.bodies = 6, .seed = 4});
  test::Random random(6);
  Bench<T> whole(bodies), first(bodies), second(bodies);
  const host::DenseInput start = test::random_state(bodies, random);
  for (Bench<T>* b : {&whole, &first}) b->set(start);
  for (Bench<T>* b : {&whole, &first, &second}) {
    limit_and_wave(*b, drive);
    CHECK_TRUE(Status::kOk == b->command(T(10)));
  }
  whole.advance(37);
  first.advance(15);
  CHECK_TRUE(first.plant->limited() > 0);

  second.plant->incoming() = first.plant->motion();
  CHECK_TRUE(Status::kOk == second.plant->set_state(first.plant->step(), first.plant->hash()));
  check_same(*second.plant, *first.plant);
  CHECK_TRUE(Status::kOk == second.command(T(10)));
  second.advance(22);
  check_same(*second.plant, *whole.plant);
}

}  // namespace

TEST_GROUP(Plant){};

TEST(Plant, HasTheBitsOfAStepperByHand) {
  check_against_stepper<float>(Integrator::kSemiImplicitEuler);
  check_against_stepper<double>(Integrator::kSemiImplicitEuler);
  check_against_stepper<float>(Integrator::kRungeKutta4);
  check_against_stepper<double>(Integrator::kRungeKutta4);
  check_against_stepper<float>(Integrator::kMidpoint);
  check_against_stepper<double>(Integrator::kMidpoint);
}

TEST(Plant, ContinuesFromAnyStateWithTheSameBits) {
  for (const auto drive :
       {link::DriveMode::kFrames, link::DriveMode::kTorqueWaves, link::DriveMode::kTrackWaves}) {
    check_continues<float>(drive);
    check_continues<double>(drive);
  }
}

TEST(Plant, HoldsTheTorquesOfAStateUntilACommandComes) {
  const auto bodies = test::random_tree({.bodies = 6, .seed = 4});
  test::Random random(6);
  const host::DenseInput start = test::random_state(bodies, random);
  Bench<double> b(bodies);
  CHECK_TRUE(Status::kOk == b.command(10));
  b.set(start);
  b.advance(3);
  CHECK_TRUE(b.plant->motion().tau == start.tau);
  CHECK_TRUE(Status::kOk == b.command(10));
  b.advance(3);
  CHECK_TRUE((b.plant->motion().tau.array() == 10).all());
}

TEST(Plant, TorquesComeFromTheWavesWithinTheLimits) {
  Bench<double> b(test::random_tree({.bodies = 3, .seed = 4, .only_turning = true}));
  limit_and_wave(b, link::DriveMode::kTorqueWaves);
  double before = 0;
  for (int step = 0; step < 200; ++step) {
    b.advance(1);
    const double asked = 5 * std::sin(2 * std::numbers::pi * step / 64);
    const double reachable = std::min(std::max(asked, before - 0.2), before + 0.2);
    before = std::min(std::max(reachable, -4.0), 4.0);
    DOUBLES_EQUAL(before, b.plant->motion().tau[0], 1e-12);
    DOUBLES_EQUAL(before, b.plant->motion().tau[2], 1e-12);
  }
}

TEST(Plant, FollowsTheWavesWhenItTracksThem) {
  Bench<double> b(test::random_tree({.bodies = 3, .seed = 4, .only_turning = true}));
  b.settings.drive = link::DriveMode::kTrackWaves;
  b.settings.waves.amplitude.setConstant(0.5);
  b.settings.waves.increment.setConstant(1u << 22);  // a turn in 1.024 s
  b.advance(2000);
  for (const double q : b.plant->motion().q) {
    DOUBLES_EQUAL(0.5 * std::sin(2 * std::numbers::pi * 2000 / 1024), q, 0.01);
  }
}

TEST(Plant, AFailureKeepsTheLastGoodState) {
  for (const auto integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4}) {
    const auto bodies = test::random_tree({.bodies = 4, .seed = 7});
    Bench<float> b(bodies), same(bodies);
    b.settings.integrator = same.settings.integrator = integrator;
    b.advance(5), same.advance(5);
    CHECK_TRUE(Status::kOk == b.command(3e38f));
    CHECK_TRUE(Status::kOverflow == b.plant->advance(b.settings));
    check_same(*b.plant, *same.plant);
    CHECK_TRUE(Status::kOk == b.plant->start(b.settings));  // the command is forgotten
    b.advance(5), same.advance(5);
    check_same(*b.plant, *same.plant);
  }
}

TEST(Plant, BadCommandsAndStatesAreRefused) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto bodies = test::random_tree({.bodies = 4, .seed = 7});
  Bench<double> b(bodies), same(bodies);
  const auto check_refused = [&](Status expected, auto&& act) {
    b.plant->incoming() = b.plant->motion();
    CHECK_TRUE(expected == act(b.plant->incoming()));
    check_same(*b.plant, *same.plant);
    b.advance(1), same.advance(1);
    check_same(*b.plant, *same.plant);
  };
  for (const double bad : {kNaN, std::numeric_limits<double>::infinity()}) {
    check_refused(Status::kNotFinite,
                  [&](auto& in) { return in.tau[1] = bad, b.plant->set_command(); });
    check_refused(Status::kNotFinite,
                  [&](auto& in) { return in.q[0] = bad, b.plant->set_state(9, 9); });
    check_refused(Status::kNotFinite,
                  [&](auto& in) { return in.v[0] = bad, b.plant->set_state(9, 9); });
    check_refused(Status::kNotFinite,
                  [&](auto& in) { return in.tau[0] = bad, b.plant->set_state(9, 9); });
  }
  const std::vector<Body> ball = {
      {.joint = JointType::kBall, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}}};
  Bench<double> turning(ball);
  turning.plant->incoming().q[3] = 2;
  CHECK_TRUE(Status::kNotUnitQuaternion == turning.plant->set_state(0, 0));
}

TEST(Plant, NeverAllocates) {
  Bench<double> b(test::random_tree({.seed = 3}));
  LONGS_EQUAL(0, test::allocations_in([&] {
                for (const auto drive : {link::DriveMode::kFrames, link::DriveMode::kTrackWaves}) {
                  b.settings.drive = drive;
                  b.advance(2);
                }
              }));
}

TEST(Plant, ALawThatFailsKeepsTheState) {
  Bench<double> b(test::random_tree({.bodies = 6, .seed = 4, .only_turning = true}));
  b.settings.drive = link::DriveMode::kTrackWaves;
  b.advance(3);
  const auto before = b.plant->motion();
  const std::uint64_t hash = b.plant->hash();
  b.settings.kp = std::numeric_limits<double>::infinity();
  CHECK_FALSE(Status::kOk == b.plant->advance(b.settings));
  CHECK_TRUE(b.plant->step() == 3 && b.plant->hash() == hash);
  CHECK_TRUE(b.plant->motion().q == before.q && b.plant->motion().v == before.v);
}
