#include "lockstep/observe/ratings.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <limits>

#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"

using namespace lockstep;

namespace {

using Table = TableModel<double, 2>;
using Load = JointLoad<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// two kilograms at half a metre beside a horizontal axis; its link's axes are not the joint's
constexpr Body kArm = {.R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
                       .R_LB = {0, 1, 0, 0, 0, 1, 1, 0, 0},
                       .mass = 2,
                       .h = {1, 0, 0.4},
                       .inertia = {0.1, 0, -0.2, 0.68, 0, 0.6}};

}  // namespace

TEST_GROUP(Ratings){};

// held still: all the weight across the axis, tilting with what hangs out along it
TEST(Ratings, AHeldArmLoadsItsBearingWithItsWeight) {
  Table table;
  CHECK_TRUE(Status::kOk == table.assign({&kArm, 1}));
  Solver<Table> solver(table);
  auto in = solver.make_input();
  auto out = solver.make_output();
  in.tau << 9.81;  // m g l
  CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
  DOUBLES_EQUAL(0, out.vdot[0], 1e-12);
  const JointLoad<double> load = joint_load(table.bodies()[0], out.reaction.data());
  DOUBLES_EQUAL(0, load.axial, 1e-12);
  DOUBLES_EQUAL(2 * 9.81, load.radial, 1e-12);
  DOUBLES_EQUAL(0.4 * 9.81, load.tilting, 1e-12);
  DOUBLES_EQUAL(9.81, load.torque, 1e-12);
}

TEST(Ratings, TheShareIsTheLargestOfItsParts) {
  const JointLoad<double> load = {10, 20, 3, 4};
  DOUBLES_EQUAL(0, share_of(load, JointLoad<double>()), 0);
  DOUBLES_EQUAL(0.5, share_of(load, Load{.axial = 20}), 1e-15);
  DOUBLES_EQUAL(2, share_of(load, Load{.axial = 20, .radial = 10, .tilting = 3, .torque = 4}),
                1e-15);
  DOUBLES_EQUAL(kInfinity, share_of(load, Load{.axial = 0}), 0);
  DOUBLES_EQUAL(kInfinity, share_of(Load{.axial = std::nan("")}, Load{.axial = 1}), 0);
}

// Along the axis and back: R_LB turns x of the body into z of the link.
TEST(Ratings, LoadsAreSizesInTheAxesOfTheJoint) {
  BodyData<double> body = to_body_data<double>(kArm, {});
  body.R_LB = Mat3<double>::from_rows({0, 0, 1, 0, 1, 0, -1, 0, 0});
  for (const double sign : {1.0, -1.0}) {
    const std::array<double, 6> reaction = {sign * 7, 3, 4, -sign * 2, 6, 8};
    const auto load = joint_load(body, reaction.data());
    DOUBLES_EQUAL(7, load.axial, 1e-15);
    DOUBLES_EQUAL(5, load.radial, 1e-15);
    DOUBLES_EQUAL(10, load.tilting, 1e-14);
    DOUBLES_EQUAL(2, load.torque, 1e-15);
  }
}

TEST(Ratings, TheHeaviestJointIsNamed) {
  Body second = kArm;
  second.parent = 0;
  const std::array<Body, 2> bodies = {kArm, second};
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  Problem<Table, double>::Wrenches reaction = Problem<Table, double>(table).make_wrenches();
  reaction(0, 0) = 30, reaction(1, 1) = 50;
  const std::array<JointLoad<double>, 2> ratings = {
      {{.axial = 100, .radial = 60}, {.radial = 200}}};
  const auto most = heaviest_load<double>(table.bodies(), reaction, ratings);
  LONGS_EQUAL(0, most.body);
  // the link's x is the joint's y
  DOUBLES_EQUAL(0.5, most.share, 1e-15);
  reaction.setZero();
  LONGS_EQUAL(kNone, heaviest_load<double>(table.bodies(), reaction, ratings).body);
}
