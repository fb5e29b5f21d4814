#include "inspect/operations.hpp"

#include "hosttools/model/robots.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::count_operations;
using host::Counted;
using host::OperationCount;

namespace {

OperationCount chain_of(UrdfJoint type, int length) {
  Robot robot;
  robot.link("l0");
  for (int i = 1; i <= length; ++i) {
    const std::string n = std::to_string(i);
    robot.heavy_link("l" + n);
    robot.joint("j" + n, type, "l" + std::to_string(i - 1), "l" + n).p_PJ = {0.1, 0.2, 0.3};
  }
  return count_operations(robot.fixed());
}

}  // namespace

TEST_GROUP(Operations){};

TEST(Operations, EachOperationIsCountedOnceAndComputed) {
  Counted::operations = {};
  const Counted a = 3, b = 4;
  const Counted c = sqrt(a * a + b * b) / (b - a);
  Counted sine, cosine;
  sincos(-c, sine, cosine);
  CHECK_TRUE(cosine < 1.0);
  CHECK_TRUE(c == 5.0);
  const OperationCount expected = {.adds = 2,
                                   .multiplies = 2,
                                   .divides = 1,
                                   .negations = 1,
                                   .comparisons = 2,
                                   .square_roots = 1,
                                   .sincos = 1};
  CHECK_TRUE(Counted::operations == expected);
  double s = 0, k = 0;
  lockstep::sincos(-5.0, s, k);
  CHECK_TRUE(sine.value() == s && cosine.value() == k);
}

TEST(Operations, CountingDoesNotChangeTheAnswer) {
  const host::Tree tree = random_robot(21, 12).floating();
  const auto solve = [&]<class T>(T) {
    TableModel<T, 16> model;
    CHECK_TRUE(Status::kOk == model.assign(tree.bodies));
    Solver<TableModel<T, 16>, T> solver(model);
    auto in = solver.make_input();
    auto out = solver.make_output();
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
    return out.vdot;
  };
  const auto counted = solve(Counted());
  const auto plain = solve(0.0);
  LONGS_EQUAL(plain.size(), counted.size());
  for (int i = 0; i < plain.size(); ++i) CHECK_TRUE(counted[i].value() == plain[i]);
}

TEST(Operations, EveryBodyOfAChainCostsTheSame) {
  for (const UrdfJoint type : {UrdfJoint::kRevolute, UrdfJoint::kBall, UrdfJoint::kPrismatic}) {
    const OperationCount one = chain_of(type, 1), two = chain_of(type, 2);
    const OperationCount many = chain_of(type, 102);
    LONGS_EQUAL(two.multiplies + 100 * (two.multiplies - one.multiplies), many.multiplies);
    LONGS_EQUAL(two.adds + 100 * (two.adds - one.adds), many.adds);
    LONGS_EQUAL(102 * one.divides, many.divides);
  }
}

TEST(Operations, HingeCostsOneDivisionOneSineAndNoRoot) {
  const OperationCount count = chain_of(UrdfJoint::kRevolute, 7);
  LONGS_EQUAL(7, count.divides);
  LONGS_EQUAL(7, count.sincos);
  LONGS_EQUAL(0, count.square_roots);
}

TEST(Operations, RobotWithoutBodiesCostsAlmostNothing) {
  const OperationCount count = count_operations({});
  LONGS_EQUAL(0, count.multiplies);
  LONGS_EQUAL(0, count.divides);
}
