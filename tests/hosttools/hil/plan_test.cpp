#include "hil/plan.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "hosttools/hil/swinging_arm.hpp"

using namespace lockstep::host;
using namespace lockstep::host::hil;
using lockstep::Integrator;
using lockstep::test::swinging_arm;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

auto plan_of(const Scenario& scenario) {
  return make_plan<double>(swinging_arm().fixed(), scenario);
}

// Where the floating base comes first: its six, then the arm's.
constexpr int kBaseDofs = 6, kBaseConfigs = 7;

}  // namespace

TEST_GROUP(Plan){};

TEST(Plan, SettingsAreTheScenarios) {
  const auto plan = plan_of({.rate = 500,
                             .control_rate = 100,
                             .integrator = Integrator::kRungeKutta4,
                             .gravity = {1, 2, 3},
                             .kp = 7,
                             .kd = 8,
                             .watchdog = 9});
  DOUBLES_EQUAL(0.002, plan->plant.dt, 0);
  DOUBLES_EQUAL(0.01, plan->control.dt, 0);
  for (const auto* settings : {&plan->plant, &plan->control}) {
    CHECK_TRUE(settings->integrator == lockstep::Integrator::kRungeKutta4);
    for (int i = 0; i < 3; ++i) DOUBLES_EQUAL(i + 1, settings->gravity[i], 0);
    DOUBLES_EQUAL(7, settings->kp, 0);
    DOUBLES_EQUAL(8, settings->kd, 0);
    LONGS_EQUAL(9, settings->watchdog_ticks);
    CHECK_FALSE(settings->free_running);
  }
}

TEST(Plan, AWaveIsTheSineThatItsJointWasGiven) {
  const Wave wave = {.amplitude = 0.2, .frequency = 3, .phase = 1, .offset = 0.4};
  const auto plan = plan_of({.joints = {{"lift", wave}}});
  for (const double t : {0.0, 0.1, 0.732, 5.0}) {
    const double angle = 2 * std::numbers::pi * wave.frequency * t + wave.phase;
    const double expected = wave.offset + wave.amplitude * std::sin(angle);
    const auto step = static_cast<std::uint64_t>(std::lround(t * 1000));
    const auto tick = static_cast<std::uint64_t>(std::lround(t * 250));
    const auto& [plant, control] = std::tie(plan->plant, plan->control);
    // an increment is rounded to half of 2^-32 of a turn, and steps add up
    DOUBLES_EQUAL(expected, plant.waves.at(1, step, plant.dt).value, 1e-5);
    DOUBLES_EQUAL(expected, control.waves.at(1, tick, control.dt).value, 1e-5);
  }
}

TEST(Plan, WavesSwingAroundTheStartAndNotAlike) {
  const auto plan = plan_of({.start = {{"shoulder", 0.7}}, .wave = {.amplitude = 0.1}});
  const auto& waves = plan->plant.waves;
  DOUBLES_EQUAL(0.7, waves.offset[0], 0);
  DOUBLES_EQUAL(0.1, waves.offset[1], 0);  // the slide's range begins at zero
  DOUBLES_EQUAL(0.1, waves.amplitude[1], 0);
  CHECK_TRUE(waves.phase[0] != waves.phase[1]);
  DOUBLES_EQUAL(0.7, plan->start.q[0], 0);
  LONGS_EQUAL(0, plan->start.step);
}

TEST(Plan, WavesStayWithinTheLimitsUnlessTheirJointWasGivenThem) {
  const auto plan = plan_of({.start = {{"shoulder", 1.9}}, .wave = {.amplitude = 0.4}});
  DOUBLES_EQUAL(1.6, plan->plant.waves.offset[0], 1e-15);  // of -1 to 2
  DOUBLES_EQUAL(0.4, plan->plant.waves.amplitude[0], 0);
  DOUBLES_EQUAL(0.25, plan->plant.waves.offset[1], 0);  // of 0 to 0.5
  DOUBLES_EQUAL(0.25, plan->plant.waves.amplitude[1], 0);
  const auto own = plan_of({.joints = {{"lift", {.amplitude = 1}}}});
  DOUBLES_EQUAL(1, own->plant.waves.amplitude[1], 0);
  const auto unlimited = plan_of({.wave = {.amplitude = 0.4}, .limits = Limits::kNone});
  DOUBLES_EQUAL(0, unlimited->plant.waves.offset[1], 0);
}

TEST(Plan, TheSeedDecidesThePhases) {
  const auto phases = [](std::uint64_t seed) {
    return to_vector(plan_of({.seed = seed})->plant.waves.phase);
  };
  CHECK_TRUE(phases(1) == phases(1));
  CHECK_TRUE(phases(1) != phases(2));
}

TEST(Plan, LimitsAreTheJointsOwnOrNone) {
  const auto with = plan_of({.torque_rate = 600}), without = plan_of({.limits = Limits::kNone});
  const auto& limits = with->plant.limits;
  DOUBLES_EQUAL(40, limits.effort[0], 0);
  DOUBLES_EQUAL(600, limits.effort_rate[0], 0);
  DOUBLES_EQUAL(-1, limits.lower[0], 0);
  DOUBLES_EQUAL(2, limits.upper[0], 0);
  DOUBLES_EQUAL(3, limits.velocity[0], 0);
  DOUBLES_EQUAL(50, limits.effort[1], 0);
  for (int i = 0; i < 5; ++i) {
    CHECK_TRUE(without->plant.limits.effort[i] == kInfinity);
    CHECK_TRUE(without->plant.limits.effort_rate[i] == kInfinity);
    CHECK_TRUE(without->plant.limits.lower[i] == -kInfinity);
  }
}

TEST(Plan, JointsOfSeveralDegreesOfFreedomAreLeftAlone) {
  const auto plan =
      make_plan<double>(swinging_arm().floating(), {.start = {{"shoulder", 0.7}, {"lift", 0.1}}});
  const auto& waves = plan->plant.waves;
  for (const int i : {0, kBaseDofs - 1, kBaseDofs + 2, kBaseDofs + 4}) {
    DOUBLES_EQUAL(0, waves.amplitude[i], 0);
    CHECK_TRUE(plan->plant.limits.effort[i] == kInfinity);
  }
  DOUBLES_EQUAL(0.7, waves.offset[kBaseDofs], 0);
  DOUBLES_EQUAL(40, plan->plant.limits.effort[kBaseDofs], 0);
  const std::vector<double> q = {0, 0, 0, 0, 0, 0, 1, 0.7, 0.1, 0, 0, 0, 1};
  LONGS_EQUAL(kBaseConfigs + 2 + 4, q.size());
  CHECK_TRUE(plan->start.q == q);
}

TEST(Plan, JointsThatAreNoneAreRefused) {
  CHECK_THROWS(Error, plan_of({.start = {{"elbow", 0.7}}}));
  CHECK_THROWS(Error, plan_of({.joints = {{"wrist", {}}}}));
}

// 64 bytes, and for each hinge seven numbers: an acceleration and a wrench; a frame holds 4080.
TEST(Plan, RobotsThatTheLinksFramesCannotHoldAreRefused) {
  const auto chain = [](int hinges) {
    lockstep::test::Robot robot;
    robot.heavy_link("link_0");
    for (int i = 0; i < hinges; ++i) {
      const std::string below = "link_" + std::to_string(i + 1);
      robot.heavy_link(below);
      robot.joint("hinge_" + std::to_string(i), lockstep::test::UrdfJoint::kRevolute,
                  "link_" + std::to_string(i), below);
    }
    return robot.fixed();
  };
  CHECK_TRUE(make_plan<double>(chain(71), Scenario()) != nullptr);
  CHECK_THROWS(Error, make_plan<double>(chain(72), Scenario()));
  CHECK_TRUE(make_plan<float>(chain(143), Scenario()) != nullptr);
  CHECK_THROWS(Error, make_plan<float>(chain(144), Scenario()));
}
