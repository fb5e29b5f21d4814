#include "record/record.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "error.hpp"
#include "support/random.hpp"

using namespace lockstep::host;
using lockstep::JointType;

namespace {

const CoordinateNames kArm = {{"shoulder", "elbow"}, {"shoulder", "elbow"}};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

}  // namespace

TEST_GROUP(Record){};

TEST(Record, ColumnsAreNamedAfterTheirJoints) {
  Record record(kArm);
  const double q[] = {0.1, -2}, v[] = {3, 1e-300}, tau[] = {-0.0, 5};
  record.add(0.001, q, v, tau);
  STRCMP_EQUAL(
      "time,q.shoulder,q.elbow,v.shoulder,v.elbow,tau.shoulder,tau.elbow\n"
      "0.001,0.1,-2,3,1e-300,-0,5\n",
      record.csv().c_str());
}

TEST(Record, NumbersReadBackToTheSameBits) {
  Record record({{"a"}, {"a"}});
  lockstep::test::Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) {
    values.push_back(std::ldexp(random.uniform(-1, 1), random.below(200) - 100));
    const std::span one(&values.back(), 1);
    record.add(i, one, one, one);
  }
  std::istringstream lines(record.csv());
  std::string line;
  std::getline(lines, line);
  for (const double value : values) {
    std::getline(lines, line);
    CHECK_TRUE(std::strtod(line.substr(line.rfind(',') + 1).c_str(), nullptr) == value);
  }
}

TEST(Record, NamesThatHoldCommasOrQuotesAreOneField) {
  const Record record({{"a,b"}, {"say \"hi\""}});
  STRCMP_EQUAL("time,\"q.a,b\",\"v.say \"\"hi\"\"\",\"tau.say \"\"hi\"\"\"\n",
               record.csv().c_str());
}

TEST(Record, JointsWithSeveralCoordinatesNameEach) {
  Tree tree;
  std::size_t coordinates = 0, velocities = 0;
  for (const auto type : {JointType::kFloating, JointType::kRevolute, JointType::kBall,
                          JointType::kPlanar, JointType::kPrismatic}) {
    lockstep::Body body{};
    body.joint = type;
    tree.bodies.push_back(body);
    tree.joint_names.push_back("j" + std::to_string(tree.bodies.size()));
    coordinates += static_cast<std::size_t>(lockstep::config_count(type));
    velocities += static_cast<std::size_t>(lockstep::dof_count(type));
  }
  const CoordinateNames names = coordinate_names(tree);
  LONGS_EQUAL(coordinates, names.q.size());
  LONGS_EQUAL(velocities, names.v.size());
  STRCMP_EQUAL(
      "j1.x j1.y j1.z j1.qx j1.qy j1.qz j1.qw j2 j3.qx j3.qy j3.qz j3.qw "
      "j4.x j4.y j4.angle j5 ",
      joined(names.q).c_str());
  STRCMP_EQUAL("j1.vx j1.vy j1.vz j1.wx j1.wy j1.wz j2 j3.wx j3.wy j3.wz j4.vx j4.vy j4.wz j5 ",
               joined(names.v).c_str());
}

TEST(Record, ChartsHoldACurveForEachCoordinate) {
  Record record(kArm);
  for (int i = 0; i < 3; ++i) {
    const double q[] = {1.0 * i, 2.0 * i}, tau[] = {3.0 * i, 4.0 * i};
    record.add(0.5 * i, q, q, tau);
  }
  const Chart positions = record.q_chart("t"), torques = record.tau_chart("t");
  LONGS_EQUAL(2, positions.curves.size());
  STRCMP_EQUAL("elbow", positions.curves[1].name.c_str());
  DOUBLES_EQUAL(1, positions.curves[1].x[2], 0);
  DOUBLES_EQUAL(4, positions.curves[1].y[2], 0);
  DOUBLES_EQUAL(8, torques.curves[1].y[2], 0);
}

TEST(Record, ALongRunIsThinnedAndKeepsItsPeaks) {
  Record record({{"a"}, {"a"}});
  for (int i = 0; i < 100000; ++i) {
    const double q[] = {i == 54321 ? 9.0 : i == 777 ? -9.0 : std::sin(1e-3 * i)};
    record.add(i, q, q, q);
  }
  const Curve curve = record.q_chart("t").curves[0];
  CHECK_TRUE(curve.y.size() <= 2000 && curve.y.size() > 1000);
  LONGS_EQUAL(curve.y.size(), curve.x.size());
  bool high = false, low = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (i > 0) CHECK_TRUE(curve.x[i] > curve.x[i - 1]);
    high = high || (curve.x[i] == 54321 && curve.y[i] == 9);
    low = low || (curve.x[i] == 777 && curve.y[i] == -9);
  }
  CHECK_TRUE(high && low);
}

TEST(Record, AStepOfAnotherRobotIsRefused) {
  Record record(kArm);
  const double two[] = {1, 2}, one[] = {1};
  CHECK_THROWS(Error, record.add(0, two, two, one));
  LONGS_EQUAL(0, record.steps());
}
