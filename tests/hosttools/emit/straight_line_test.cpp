// That a straight line computes what the passes compute is shown bit by bit for whole robots in
// tests/core/static_table_test.cpp; here, what it leaves out.
#include "emit/straight_line.hpp"

#include <CppUTest/TestHarness.h>

#include "inspect/operations.hpp"

using namespace lockstep;
using host::Tree;

namespace {

Tree pendulum() {
  Tree tree;
  tree.name = "pendulum";
  tree.bodies = {{.mass = 2, .h = {1, 0, 0}, .inertia = {0, 0, 0, 0.5, 0, 0.5}}};
  tree.link_names = {"bob"};
  tree.joint_names = {"hinge"};
  return tree;
}

}  // namespace

TEST_GROUP(StraightLine){};

TEST(StraightLine, ASinglePendulumIsAHandfulOfOperations) {
  // vdot = (tau - h . g-torque) / I_zz: the rest is the reaction
  const host::StraightLine line = host::straight_line(pendulum());
  const host::OperationCount loop = host::count_operations(pendulum());
  LONGS_EQUAL(1, line.divisions);
  CHECK_TRUE(line.additions + line.multiplications < 50);
  CHECK_TRUE(line.additions + line.multiplications < (loop.adds + loop.multiplies) / 5);
}

TEST(StraightLine, IsTheSameTextEveryTime) {
  CHECK_TRUE(host::straight_line(pendulum()).text == host::straight_line(pendulum()).text);
}

TEST(StraightLine, ReportsItsPivots) {
  CHECK_TRUE(host::straight_line(pendulum()).text.find("positive &= T(0.5) > T(0)") !=
             std::string::npos);
}

TEST(StraightLine, ARobotWithoutBodiesIsAnEmptyLine) {
  const host::StraightLine line = host::straight_line(Tree{});
  LONGS_EQUAL(0, line.additions + line.multiplications + line.divisions);
}
