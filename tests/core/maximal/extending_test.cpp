#include <CppUTest/TestHarness.h>

#include <fstream>
#include <sstream>
#include <string>

#include "core/maximal/any_body.hpp"
#include "examples/own_body.hpp"
#include "examples/own_constraint.hpp"
#include "lockstep/constraint/distance.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(LOCKSTEP_DOCS_DIR "/" + file).rdbuf();
  return text.str();
}

Eigen::Vector3d on_wire(const Bead<double>& bead, double x) { return {x, bead.k * x * x / 2, 0}; }

}  // namespace

TEST_GROUP(MaximalExtending){};

TEST(MaximalExtending, ThePagePrintsWhatIsCompiledHere) {
  for (const char* file :
       {"examples/own_body.hpp", "examples/own_constraint.hpp", "examples/own_mechanism.hpp"}) {
    const std::string code = text_of(file);
    CHECK(!code.empty());
    CHECK(text_of("extending.md").find(code) != std::string::npos);
  }
}

TEST(MaximalExtending, BeadMovesAlongItsWire) {
  static_assert(maximal::Body<Bead<double>> && maximal::Framed<Bead<double>>);
  const Bead<double> bead = {1.5, 0.8};
  const double x = 0.6, v = -0.7;
  const auto velocity = [&](double t) {
    return rate_of([&](double s) { return on_wire(bead, x + v * (t + s)); });
  };
  const Eigen::Vector3d acceleration = rate_of(velocity);
  const auto k = bead.kinematics({x}, {v}, placement(Eigen::Isometry3d::Identity()));
  CHECK_AT_MOST(1e-9, relative_error(test::eigen(k.frame.v), velocity(0)), "velocity");
  CHECK_AT_MOST(1e-8, relative_error(test::eigen(k.bias.linear), acceleration), "acceleration");
  DOUBLES_EQUAL(1.5 * velocity(0).squaredNorm(), bead.mass_matrix({x})[0][0] * v * v, 1e-9);
  DOUBLES_EQUAL(-1.5 * acceleration.dot(velocity(0)) / v, bead.inertial_force({x}, {v})[0], 1e-8);
}

// A bead and a rigid body, tied by a rod: neither knows of the other.
TEST(MaximalExtending, OurConstraintsHoldIt) {
  using Rod = maximal::Between<maximal::Distance<double>>;
  static_assert(maximal::PairConstraint<Rod, Bead<double>, RigidBody>);
  Random random(71);
  const Bead<double> bead = {1.5, 0.8};
  const RigidBody body = {1, {1, 0, 0, 1, 0, 1}};
  const Rod rod = {placement(random_placement(random)), placement(random_placement(random)), {2}};
  const RigidBody::Pose pose = random_pose<RigidBody>(random);
  const auto v = random_velocity<RigidBody>(random);
  const auto later = [&](double t) {
    RigidBody::Pose moved = pose;
    CHECK(body.integrate(moved, v, t) == Status::kOk);
    return rod.evaluate(bead, {0.3 + 0.9 * t}, {0.9}, body, moved, v, 0);
  };
  const auto rate = rate_of(
      [&](double t) { return Eigen::Vector2d(later(t).value[0], later(t).velocity_error[0]); });
  DOUBLES_EQUAL(rate(0), later(0).velocity_error[0], 1e-9);
  DOUBLES_EQUAL(rate(1), later(0).c[0], 1e-8);
}

TEST(MaximalExtending, SkateGlidesOnlyAlongItsBlade) {
  static_assert(maximal::FrameConstraint<Skate<double>>);
  Random random(72);
  for_all_pairs([&](int a, int b) {
    const auto scene = random_scene(Skate<double>{}, a, b, random);
    check_velocity_level(scene, "skate");
    const auto B = scene.B.kinematics(scene.pose_B, scene.v_B, scene.X_B).frame;
    DOUBLES_EQUAL(test::eigen(B.v).dot(test::eigen(B.R.y)), scene.now().velocity_error[0], 1e-14);
  });
}
