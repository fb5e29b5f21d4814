#include "robot/assemble.hpp"

#include <cmath>
#include <numbers>

#include "hosttools/doctor/linkages.hpp"
#include "hosttools/model/robots.hpp"
#include "model/loop_rows.hpp"
#include "oracle/world.hpp"
#include "urdf/read.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::Tree;

namespace {

Tree tree_of(const std::string& text) {
  std::vector<host::Finding> warnings;
  return host::reduce(host::read_urdf_text(text, "robot.urdf", {}, warnings), {});
}

}  // namespace

TEST_GROUP(Assemble){};

// Where the linkage's points are, from lengths and angles alone.
TEST(Assemble, FourBarClosesItsQuadrilateral) {
  const Tree tree = tree_of(four_bar("0.6", "revolute"));
  CHECK_FALSE(host::holds(tree, host::rest(tree.bodies).q, host::kClosed));
  const auto q = host::assemble(tree);
  CHECK_TRUE(q.has_value());
  const double crank = (*q)[0], coupler = crank + (*q)[1], rocker = (*q)[2];
  DOUBLES_EQUAL(0.6 + 0.5 * std::cos(rocker), 0.3 * std::cos(crank) + 0.7 * std::cos(coupler),
                1e-10);
  DOUBLES_EQUAL(0.5 * std::sin(rocker), 0.3 * std::sin(crank) + 0.7 * std::sin(coupler), 1e-10);
}

TEST(Assemble, PoseThatHoldsAlreadyIsKept) {
  const Tree tree = tree_of(four_bar("0.5", "revolute"));  // 0.3 + 0.7 = 0.5 + 0.5
  CHECK_TRUE(*host::assemble(tree) == Eigen::VectorXd::Zero(3));
  CHECK_FALSE(*host::assemble_elsewhere(tree) == Eigen::VectorXd::Zero(3));
}

TEST(Assemble, LinksThatDoNotReachAreNotAssembled) {
  CHECK_FALSE(host::assemble(tree_of(four_bar("1.6", "revolute"))).has_value());
}

TEST(Assemble, LimitsAreKept) {
  std::string text = four_bar("0.6", "ball");
  const std::string joint = "'to_crank' type='continuous'>";
  text.replace(text.find(joint), joint.size(),
               "'to_crank' type='revolute'><limit lower='-2' upper='-1'/>");
  const auto q = host::assemble(tree_of(text));
  CHECK_TRUE(q.has_value() && (*q)[0] >= -2 && (*q)[0] <= -1);
}

TEST(Assemble, ReversedAxisIsNoAssembly) {
  // the frames are half a turn apart about x; the ball joint can put that right
  const std::string text =
      robot(solid("arm") +
            "<joint name='j' type='ball'><parent link='base'/><child link='arm'/></joint>"
            "<loop name='loop' type='revolute'><predecessor link='base'/><successor link='arm'>"
            "<origin rpy='3.141592653589793 0 0'/></successor><axis xyz='0 0 1'/></loop>");
  const Tree tree = tree_of(text);
  const Eigen::VectorXd zero = host::rest(tree.bodies).q;
  CHECK_TRUE(host::evaluate_rows(tree, zero).value.isZero(1e-15));
  CHECK_FALSE(host::holds(tree, zero, host::kClosed));
  const auto q = host::assemble(tree);
  CHECK_TRUE(q.has_value() && host::holds(tree, *q, host::kAssembled));
}

TEST(Assemble, MimicsWithOffsetsAreAssembledToo) {
  const std::string text =
      robot(hinge("base", "a", "0") + solid("b") +
            "<joint name='to_b' type='continuous'><parent link='a'/><child link='b'/>"
            "<axis xyz='0 0 1'/><mimic joint='to_a' multiplier='3' offset='0.5'/></joint>");
  const auto q = host::assemble(tree_of(text));
  DOUBLES_EQUAL(0.5, (*q)[1] - 3 * (*q)[0], 1e-10);
}

TEST(Assemble, TheNearestPoseIsZeroWhereverThatIsWithinTheLimits) {
  Tree tree = tree_of(four_bar("0.6", "revolute"));
  tree.loops.clear();
  CHECK_TRUE(host::nearest_pose(tree)->isZero(0));
  tree.bodies[0].limits = {.lower = -2, .upper = -0.5};
  tree.bodies[1].limits = {.lower = 0.25, .upper = 2};
  const auto q = host::nearest_pose(tree);
  DOUBLES_EQUAL(-0.5, (*q)[0], 0);
  DOUBLES_EQUAL(0.25, (*q)[1], 0);
  DOUBLES_EQUAL(0, (*q)[2], 0);
}

TEST(Assemble, TheNearestPoseClosesLoopsWithinTheLimits) {
  Tree tree = tree_of(four_bar("0.6", "revolute"));
  tree.bodies[0].limits = {.lower = 1, .upper = 2};
  const auto q = host::nearest_pose(tree);
  CHECK_TRUE(q.has_value());
  CHECK_TRUE((*q)[0] >= 1 && (*q)[0] <= 2);
  CHECK_TRUE(host::holds(tree, *q, host::kAssembled));
}
