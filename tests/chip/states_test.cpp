// The states that chips are measured with: odd enough, and such that the solver takes them.
#include "apps/measure/states.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>

#include "hosttools/model/robots.hpp"
#include "inspect/expected.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kStates = 1000;

Robot odd_robot() {
  Robot robot;
  for (const char* name : {"base", "a", "b", "c", "d"}) robot.heavy_link(name);
  robot.joint("hinge", UrdfJoint::kRevolute, "base", "a");
  robot.joint("slide", UrdfJoint::kPrismatic, "a", "b");
  robot.joint("ball", UrdfJoint::kBall, "b", "c");
  robot.joint("plane", UrdfJoint::kPlanar, "c", "d");
  return robot;
}

struct Seen {
  int zeros = 0, negative_zeros = 0, subnormal = 0, many_turns = 0;
};

}  // namespace

TEST_GROUP(MeasureStates){};

TEST(MeasureStates, SolverTakesEveryOne) {
  const auto tree = odd_robot().floating();
  TableModel<float, 8> model;
  CHECK_TRUE(Status::kOk == model.assign(tree.bodies));
  Solver<TableModel<float, 8>, float> solver(model);
  auto in = solver.make_input();
  auto out = solver.make_output();
  measure::Random random;
  for (int i = 0; i < kStates; ++i) {
    measure::next_state<float>(random, tree.bodies, in);
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
  }
}

TEST(MeasureStates, HoldZerosOfBothSignsSubnormalsAndManyTurns) {
  const auto tree = odd_robot().fixed();
  TableModel<double, 8> model;
  CHECK_TRUE(Status::kOk == model.assign(tree.bodies));
  Solver<TableModel<double, 8>> solver(model);
  auto in = solver.make_input();
  measure::Random random;
  Seen seen;
  for (int i = 0; i < kStates; ++i) {
    measure::next_state<double>(random, tree.bodies, in);
    for (const double value : in.v) {
      seen.zeros += value == 0 && !std::signbit(value) ? 1 : 0;
      seen.negative_zeros += value == 0 && std::signbit(value) ? 1 : 0;
      seen.subnormal += std::fpclassify(value) == FP_SUBNORMAL ? 1 : 0;
    }
    seen.many_turns += std::abs(in.q[0]) > 1000 ? 1 : 0;
  }
  CHECK_TRUE(seen.zeros > 50 && seen.negative_zeros > 50 && seen.subnormal > 50);
  CHECK_TRUE(seen.many_turns > 50);
}

TEST(MeasureStates, HashSeesTheRobotTheScalarAndTheNumberOfStates) {
  const auto fixed = odd_robot().fixed(), floating = odd_robot().floating();
  const std::uint64_t hash = host::hash_of_answers<double>(fixed, 10);
  CHECK_TRUE(hash == host::hash_of_answers<double>(fixed, 10));
  CHECK_TRUE(hash != host::hash_of_answers<double>(fixed, 11));
  CHECK_TRUE(hash != host::hash_of_answers<double>(floating, 10));
  CHECK_TRUE(hash != host::hash_of_answers<float>(fixed, 10));
}
