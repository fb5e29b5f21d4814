#include "loop/controller.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>
#include <memory>

#include "lockstep/table_model.hpp"
#include "support/random_tree.hpp"

using namespace lockstep;

namespace {

using Table = TableModel<double, 8>;

struct Bench {
  Bench() {
    const auto bodies = test::random_tree({.bodies = 4, .seed = 8, .only_turning = true});
    CHECK_TRUE(Status::kOk == robot.table().assign(bodies));
    settings.resize(4);
    controller = std::make_unique<firmware::Controller<Table, double>>(robot);
    controller->incoming().q.setConstant(0.3);
    controller->incoming().v.setConstant(-0.1);
  }
  firmware::Robot<Table, double> robot;
  firmware::Settings<Table, double> settings;
  std::unique_ptr<firmware::Controller<Table, double>> controller;
};

}  // namespace

TEST_GROUP(Controller){};

TEST(Controller, HoldsBySpringsBesideGravityWithinTheLimits) {
  Bench b;
  firmware::ComputedTorque<Table, double> law(b.robot);
  auto& in = b.controller->incoming();
  auto reference = in.reference;
  auto tau = b.controller->torque();
  CHECK_TRUE(Status::kOk == law.hold(b.settings, in.q, in.v, reference, tau));
  CHECK_TRUE(Status::kOk == b.controller->hold(b.settings));
  CHECK_TRUE(b.controller->torque() == tau);
  CHECK_TRUE(tau.cwiseAbs().minCoeff() > 0.5);
  b.settings.limits.effort.setConstant(0.5);
  CHECK_TRUE(Status::kOk == b.controller->hold(b.settings));
  for (const double torque : b.controller->torque()) CHECK_EQUAL(0.5, std::abs(torque));
  LONGS_EQUAL(4, b.controller->limited());
  LONGS_EQUAL(0, b.controller->step());  // no tick of its own
}

TEST(Controller, AStateThatIsNoneLeavesTheTorques) {
  Bench b;
  CHECK_TRUE(Status::kOk == b.controller->hold(b.settings));
  const auto before = b.controller->torque();
  b.controller->incoming().q[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(Status::kOk == b.controller->hold(b.settings));
  CHECK_TRUE(b.controller->torque() == before);
  b.controller->release();
  for (const double torque : b.controller->torque()) CHECK_EQUAL(0, torque);
}
