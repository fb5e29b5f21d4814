// That no state exceeds what `inspect` states, and that the statement is not idle.
#include "inspect/row_bounds.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/compile/robot_files.hpp"
#include "hosttools/model/robots.hpp"
#include "inspect/report.hpp"
#include "support/counted_robot.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::test;
using host::RowBounds;
using host::RowParts;

namespace {

#ifdef NDEBUG
constexpr int kStates = 100000;
#else  // sanitizers take their time
constexpr int kStates = 5000;
#endif

host::Tree closed(const std::string& name) {
  return load(LOCKSTEP_MODELS_DIR "/loops/" + name + ".urdf");
}

// A hinge with ends and friction that carries a ball over the ground.
host::Tree knocker() {
  Robot robot;
  for (const char* name : {"base", "arm"}) robot.heavy_link(name);
  robot.joint("hinge", UrdfJoint::kRevolute, "base", "arm").p_PJ = {0, 0, 0.5};
  host::Tree tree = robot.fixed();
  tree.bodies[0].limits = {.lower = -1, .upper = 1, .velocity = 3};
  tree.bodies[0].friction = 0.1;
  tree.colliders = {{.body = 0, .radius = 0.6, .friction = 0.5}};
  tree.collider_names = {"ball"};
  return tree;
}

}  // namespace

TEST_GROUP(RowBounds){};

TEST(RowBounds, ClosedDynamicsStaysBelowAndComesNear) {
  const Share share = CountedRobot(closed("four_bar")).closed(kStates);
  CHECK_AT_MOST(1, share.largest, "share of the bound");
  CHECK_TRUE(share.largest > 0.7);
  LONGS_EQUAL(0, share.refused);
}

TEST(RowBounds, StepsStayBelowInAnyState) {
  CountedRobot robot(knocker());
  LONGS_EQUAL(6, robot.bounds().most());
  for (const RowSolver solver :
       {RowSolver::kGaussSeidel, RowSolver::kPivoting, RowSolver::kNewton}) {
    const Share share = robot.steps(kStates, solver);
    CHECK_AT_MOST(1, share.largest, "share of the bound");
    LONGS_EQUAL(6, share.most_rows);
    LONGS_EQUAL(0, share.refused);
  }
}

// Where all that is counted acts at once.
TEST(RowBounds, LinkagesShapesAndLegsStayBelow) {
  host::ReduceOptions floating;
  floating.base = host::ReduceOptions::Base::kFloating;
  for (const host::Tree& tree : {load(linked_robot_file()), load(touching_robot_file()),
                                 load(LOCKSTEP_MODELS_DIR "/quadruped.urdf", floating)}) {
    CountedRobot robot(tree);
    for (const RowSolver solver : {RowSolver::kGaussSeidel, RowSolver::kPivoting}) {
      CHECK_AT_MOST(1, robot.steps(50, solver).largest, tree.name.c_str());
    }
    host::Tree on_ground = tree;
    on_ground.collider_pairs.clear();
    CHECK_AT_MOST(1, CountedRobot(on_ground).steps(200, RowSolver::kNewton).largest,
                  tree.name.c_str());
  }
}

// What a step by Newton's method may take is no more than four times what a landing does.
TEST(RowBounds, ALandingComesNearToNewtonsBound) {
  host::ReduceOptions floating;
  floating.base = host::ReduceOptions::Base::kFloating;
  host::Tree tree = load(LOCKSTEP_MODELS_DIR "/quadruped.urdf", floating);
  tree.collider_pairs.clear();
  const std::vector<double> stance = {0, 0.8, -1.829, 0, 0.8, -1.829,
                                      0, 0.8, -1.829, 0, 0.8, -1.829};
  const Share share = CountedRobot(tree).fall(500, 0.3359, stance, RowSolver::kNewton);
  LONGS_EQUAL(0, share.refused);
  CHECK_AT_MOST(1, share.largest, "share of the bound");
  CHECK_AT_MOST(4, 1 / share.largest, "the bound over the worst step");
}

TEST(RowBounds, CostsGrowWithPathsSquaresAndCubes) {
  const auto bounds = RowBounds::of(knocker());
  const RowParts none = bounds->step(0, RowSolver::kPivoting);
  const RowParts all = bounds->step(6, RowSolver::kPivoting);
  LONGS_EQUAL(none.tree, all.tree);
  LONGS_EQUAL(0, none.paths);
  CHECK_TRUE(all.rows > none.rows && all.paths > 0 && all.system > none.system);
  LONGS_EQUAL(all.tree + all.shapes + all.rows + all.paths + all.system, all.total());
}

TEST(RowBounds, RobotsWithoutRowsHaveNone) {
  CHECK_FALSE(RowBounds::of(random_robot(1, 5).fixed()).has_value());
}

TEST(RowBounds, TextAndJsonTellTheSame) {
  const host::Report report = host::make_report(closed("four_bar"));
  const std::string text = to_text(report, host::Charset::kAscii);
  const auto json = to_json(report)["worst_case"];
  CHECK_TRUE(has(text, "With rows, operations at most"));
  LONGS_EQUAL(RowBounds::of(report.tree)->closed().total(),
              json["closed"]["total"].get<long long>());
  CHECK_TRUE(has(text, "rows of loops and couplings: " + json["closed"]["total"].dump() + "\n"));
  CHECK_TRUE(has(text, json["steps"].back()["pivoting"]["total"].dump()));
}
