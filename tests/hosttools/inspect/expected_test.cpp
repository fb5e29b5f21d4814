#include "inspect/expected.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>

#include "apps/measure/states.hpp"
#include "hosttools/model/robots.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "oracle/dense.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kStates = 51;

Robot two_links() {
  Robot robot;
  for (const char* name : {"base", "arm", "hand"}) robot.heavy_link(name);
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm");
  robot.joint("wrist", UrdfJoint::kBall, "arm", "hand");
  return robot;
}

double error(const Eigen::MatrixXd& x, const Eigen::MatrixXd& reference) {
  double difference = 0, size = 1;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    difference = std::max(difference, std::abs(x.data()[i] - reference.data()[i]));
    size = std::max(size, std::abs(reference.data()[i]));
  }
  return difference / size;
}

}  // namespace

TEST_GROUP(Expected){};

TEST(Expected, FloatErrorIsThatAgainstADenseSolve) {
  const host::Tree tree = two_links().floating();
  TableModel<float, 4> model;
  CHECK_TRUE(Status::kOk == model.assign(tree.bodies));
  Solver<TableModel<float, 4>, float> solver(model);
  auto in = solver.make_input();
  auto out = solver.make_output();
  measure::Random random;
  std::vector<double> accelerations, reactions;
  for (int i = 0; i < kStates; ++i) {
    measure::next_state<float>(random, tree.bodies, in);
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
    host::DenseInput same = host::rest(tree.bodies);
    same.q = in.q.cast<double>();
    same.v = in.v.cast<double>();
    same.tau = in.tau.cast<double>();
    same.gravity = in.gravity.cast<double>();
    const host::DenseOutput reference = host::solve_dense(tree.bodies, same);
    accelerations.push_back(error(out.vdot.cast<double>(), reference.vdot));
    reactions.push_back(error(out.reaction.cast<double>(), reference.reaction));
  }
  std::ranges::sort(accelerations);
  std::ranges::sort(reactions);

  const host::FloatError found = host::float_error(tree, kStates);
  constexpr double kDouble = 1e-11;  // what two ways in double may differ by
  LONGS_EQUAL(kStates, found.states);
  DOUBLES_EQUAL(accelerations[kStates / 2], found.accelerations.median, kDouble);
  DOUBLES_EQUAL(accelerations.back(), found.accelerations.worst, kDouble);
  DOUBLES_EQUAL(reactions[kStates / 2], found.reactions.median, kDouble);
  DOUBLES_EQUAL(reactions.back(), found.reactions.worst, kDouble);
  CHECK_TRUE(found.accelerations.worst > 1e-8);
}
