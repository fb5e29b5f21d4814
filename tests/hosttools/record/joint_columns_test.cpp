#include "record/joint_columns.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::JointType;

namespace {

Tree tree_of(std::initializer_list<JointType> joints) {
  Tree tree;
  for (const JointType type : joints) {
    lockstep::Body body{};
    body.joint = type;
    tree.bodies.push_back(body);
    tree.joint_names.push_back("j" + std::to_string(tree.bodies.size()));
  }
  return tree;
}

std::string header(std::initializer_list<JointType> joints) {
  std::string text;
  for (const RecordColumn& column : joint_columns(tree_of(joints))) {
    text += (text.empty() ? "" : ",") + header_of(column);
  }
  return text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

}  // namespace

TEST_GROUP(JointColumns){};

TEST(JointColumns, PositionsThenVelocitiesThenTorques) {
  STRCMP_EQUAL("q.j1 [rad],q.j2 [m],v.j1 [rad/s],v.j2 [m/s],tau.j1 [N m],tau.j2 [N]",
               header({JointType::kRevolute, JointType::kPrismatic}).c_str());
}

TEST(JointColumns, JointsWithSeveralCoordinatesNameEach) {
  STRCMP_EQUAL(
      "q.j1.qx,q.j1.qy,q.j1.qz,q.j1.qw,v.j1.wx [rad/s],v.j1.wy [rad/s],v.j1.wz [rad/s],"
      "tau.j1.wx [N m],tau.j1.wy [N m],tau.j1.wz [N m]",
      header({JointType::kBall}).c_str());
  STRCMP_EQUAL(
      "q.j1.x [m],q.j1.y [m],q.j1.angle [rad],v.j1.vx [m/s],v.j1.vy [m/s],v.j1.wz [rad/s],"
      "tau.j1.vx [N],tau.j1.vy [N],tau.j1.wz [N m]",
      header({JointType::kPlanar}).c_str());
  STRCMP_EQUAL(
      "q.j1.x [m],q.j1.y [m],q.j1.z [m],q.j1.qx,q.j1.qy,q.j1.qz,q.j1.qw,"
      "v.j1.vx [m/s],v.j1.vy [m/s],v.j1.vz [m/s],v.j1.wx [rad/s],v.j1.wy [rad/s],v.j1.wz [rad/s],"
      "tau.j1.vx [N],tau.j1.vy [N],tau.j1.vz [N],tau.j1.wx [N m],tau.j1.wy [N m],tau.j1.wz [N m]",
      header({JointType::kFloating}).c_str());
}

TEST(JointColumns, CoordinatesAreNamedWithoutTheirQuantity) {
  const CoordinateNames names =
      coordinate_names(tree_of({JointType::kPlanar, JointType::kRevolute}));
  STRCMP_EQUAL("j1.x j1.y j1.angle j2 ", joined(names.q).c_str());
  STRCMP_EQUAL("j1.vx j1.vy j1.wz j2 ", joined(names.v).c_str());
}

TEST(JointColumns, ARowHoldsFloatsExactly) {
  const std::vector<float> q = {0.1f, 2}, v = {3}, tau = {-4};
  CHECK_TRUE(joint_row(q, v, tau) == (std::vector<double>{double(0.1f), 2, 3, -4}));
}
