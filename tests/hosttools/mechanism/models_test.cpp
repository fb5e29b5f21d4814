// The mechanisms in models/: what their top comments say holds at the start, by a dense solve.
#include <algorithm>
#include <filesystem>

#include "hosttools/mechanism/texts.hpp"
#include "mechanism/summary.hpp"
#include "support/dense_mechanism.hpp"

using namespace lockstep;
using test::model;

namespace {

constexpr double kTiny = 1e-12, kGravity = 9.81;

test::DenseMechanism answer(const std::string& name) { return test::solve_dense(model(name)); }

}  // namespace

TEST_GROUP(MechanismModels){};

TEST(MechanismModels, DegreesOfFreedomAreThoseOfTheReadme) {
  constexpr std::pair<const char*, std::size_t> kExpected[] = {
      {"bead_on_ellipsoid", 2},    {"belt_drive", 2},      {"bouncing_ball", 6},
      {"box_stack", 30},           {"differential", 2},    {"falling_chain", 18},
      {"driven_pendulum", 0},      {"gear_pair", 1},       {"gyroscope", 3},
      {"ellipsoids_touching", 11}, {"particle_chain", 10}, {"planar_crank", 0},
      {"quarter_car", 2},          {"rod_pendulum", 2},    {"rolling_ball", 3},
      {"rolling_disc", 3},         {"scaling_body", 7}};
  for (const auto& [name, degrees] : kExpected) {
    CHECK_EQUAL_TEXT(degrees, host::count(model(name)).degrees_of_freedom, name);
  }
  const std::filesystem::directory_iterator files(LOCKSTEP_MODELS_DIR "/mechanisms");
  LONGS_EQUAL(std::size(kExpected), std::distance(begin(files), end(files)));
}

TEST(MechanismModels, LevelRodDoesNotPull) {
  const auto [vdot, lambda] = answer("rod_pendulum");
  DOUBLES_EQUAL(-kGravity, vdot[2], kTiny);
  DOUBLES_EQUAL(0, lambda[0], kTiny);
}

TEST(MechanismModels, RodsCarryWhatHangsBelow) {
  const auto [vdot, lambda] = answer("particle_chain");
  for (int k = 0; k < 5; ++k) DOUBLES_EQUAL((5 - k) * 0.1 * kGravity, -lambda[k], kTiny);
  DOUBLES_EQUAL(0, vdot.norm(), kTiny);
}

TEST(MechanismModels, PistonFollowsTheCrank) {
  // second derivative of r cos(wt) + sqrt(l^2 - r^2 sin^2(wt)) at the dead centre
  const double r = 0.1, l = 0.3, w = 10;
  DOUBLES_EQUAL(-r * w * w * (1 + r / l), answer("planar_crank").vdot[6], kTiny);
}

TEST(MechanismModels, TopGoesRoundWithoutNodding) {
  const auto [vdot, lambda] = answer("gyroscope");
  const double W = 1.962;
  DOUBLES_EQUAL(-0.1 * W * W, vdot[0], kTiny);
  DOUBLES_EQUAL(0, vdot[2], kTiny);
  DOUBLES_EQUAL(kGravity, std::fabs(lambda[2]), kTiny);
}

TEST(MechanismModels, DiscRollsOn) {
  const auto [vdot, lambda] = answer("rolling_disc");
  DOUBLES_EQUAL(0, vdot.norm(), kTiny);
  DOUBLES_EQUAL(2 * kGravity, lambda[0], kTiny);
}

TEST(MechanismModels, BallRollsDownTheSlope) {
  const auto [vdot, lambda] = answer("rolling_ball");
  DOUBLES_EQUAL(5.0 / 7 * kGravity * 0.6, vdot.head<3>().norm(), kTiny);
  DOUBLES_EQUAL(2.0 / 7 * 0.5 * kGravity * 0.6, std::fabs(lambda[1]), kTiny);
}

TEST(MechanismModels, GearSharesTheMoment) {
  const auto vdot = answer("gear_pair").vdot;
  DOUBLES_EQUAL(2.5, vdot[5], kTiny);
  DOUBLES_EQUAL(-5, vdot[11], kTiny);
}

TEST(MechanismModels, DifferentialSharesTheMoment) {
  const auto [vdot, lambda] = answer("differential");
  DOUBLES_EQUAL(6.25, vdot[5], kTiny);
  DOUBLES_EQUAL(3.75, vdot[11], kTiny);
  DOUBLES_EQUAL(8.75, vdot[17], kTiny);
  LONGS_EQUAL(16, lambda.size());
  DOUBLES_EQUAL(-0.175, lambda[15], kTiny);
}

TEST(MechanismModels, SpinningBodyGrows) {
  // second derivative of sqrt(1 + 2/3 w^2 t^2) at t = 0
  DOUBLES_EQUAL(2.0 / 3 * 4, answer("scaling_body").vdot[6], kTiny);
}

TEST(MechanismModels, BowlCarriesTheBead) {
  DOUBLES_EQUAL(1.0242, std::fabs(answer("bead_on_ellipsoid").lambda[0]), kTiny);
}

TEST(MechanismModels, ContactPassesAThirdOfTheForce) {
  const auto [vdot, lambda] = answer("ellipsoids_touching");
  DOUBLES_EQUAL(-2, vdot[0], kTiny);
  DOUBLES_EQUAL(-2, vdot[6], kTiny);
  DOUBLES_EQUAL(0, vdot.segment<3>(3).norm() + vdot.tail<3>().norm(), kTiny);
}

TEST(MechanismModels, MotorStartsWithoutTorque) {
  const auto [vdot, lambda] = answer("driven_pendulum");
  DOUBLES_EQUAL(0, lambda[5], kTiny);              // theta'' and sin(theta) are zero
  DOUBLES_EQUAL(0.5 * 1.5 * 1.5, vdot[2], kTiny);  // l theta'^2
  DOUBLES_EQUAL(0, vdot.tail<3>().norm(), kTiny);
}

TEST(MechanismModels, CarStandsOnItsSprings) {
  const auto [vdot, lambda] = answer("quarter_car");
  DOUBLES_EQUAL(0, vdot[8], 1e-4);  // the file has the wheel's place to a micrometre
  DOUBLES_EQUAL(0, vdot[11], 1e-9);
  DOUBLES_EQUAL(340 * kGravity, lambda[10], 0.2);
  DOUBLES_EQUAL(300 * kGravity, lambda[11], 1e-9);
}

TEST(MechanismModels, BeltsDamperBrakesTheMotor) {
  const auto [vdot, lambda] = answer("belt_drive");
  DOUBLES_EQUAL(-3, vdot[2], kTiny);
  DOUBLES_EQUAL(0.6, vdot[5], kTiny);
  DOUBLES_EQUAL(-0.006, lambda[5], kTiny);
}
