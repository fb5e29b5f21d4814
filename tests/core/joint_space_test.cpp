#include "lockstep/joint_space.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>
#include <limits>
#include <numbers>

#include "lockstep/problem.hpp"
#include "lockstep/table_model.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

// One joint of a type, in a table.
template <class T = double>
struct Bench {
  using Table = TableModel<T, 2>;
  explicit Bench(JointType type) : joint(type) {
    const std::array<Body, 1> bodies = {{{.joint = joint, .mass = 1}}};
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    const auto in = Problem<Table, T>(table).make_input();
    q = in.q, v = in.v;
  }
  void randomize(test::Random& random, double size) {
    for (auto& x : q) x = static_cast<T>(random.uniform(-1, 1));
    if (joint == JointType::kBall || joint == JointType::kFloating) {
      q.template tail<4>() = random.rotation().coeffs().template cast<T>();
    }
    for (auto& x : v) x = static_cast<T>(random.uniform(-size, size));
  }
  Status advance(T dt) { return lockstep::integrate(table, q, v, dt); }

  JointType joint;
  Table table;
  typename Problem<Table, T>::Configs q;
  typename Problem<Table, T>::Dofs v;
};

constexpr JointType kAllJoints[] = {JointType::kRevolute, JointType::kPrismatic, JointType::kBall,
                                    JointType::kPlanar, JointType::kFloating};

// The placement of B in J as a homogeneous matrix, and the matrix of a twist.
Eigen::Matrix4d placement(JointType joint, const Eigen::VectorXd& q) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  const auto about_z = [](double angle) {
    return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  };
  const auto turned = [&] { return Eigen::Quaterniond(Eigen::Vector4d(q.tail<4>())).matrix(); };
  switch (joint) {
    case JointType::kRevolute: X.linear() = about_z(q[0]); break;
    case JointType::kPrismatic: X.translation() << 0, 0, q[0]; break;
    case JointType::kBall: X.linear() = turned(); break;
    case JointType::kPlanar: X.linear() = about_z(q[2]), X.translation() << q[0], q[1], 0; break;
    case JointType::kFloating: X.linear() = turned(), X.translation() = q.head<3>(); break;
  }
  return X.matrix();
}
Eigen::Matrix4d twist_matrix(const host::Vector6d& V) {
  Eigen::Matrix4d result;
  result << 0, -V[5], V[4], V[0], V[5], 0, -V[3], V[1], -V[4], V[3], 0, V[2], 0, 0, 0, 0;
  return result;
}

// e^A by its series, halved often enough for it to converge fast and squared back.
Eigen::Matrix4d exponential(Eigen::Matrix4d A) {
  constexpr int kHalvings = 8;
  A /= 1 << kHalvings;
  Eigen::Matrix4d sum = Eigen::Matrix4d::Identity(), term = sum;
  for (int k = 1; k < 20; ++k) sum += term = term * A / k;
  for (int k = 0; k < kHalvings; ++k) sum = sum * sum;
  return sum;
}

template <class T>
void check_against_exponential(double bound) {
  test::Random random(3);
  for (const JointType joint : kAllJoints) {
    for (const double size : {0.0, 1e-30, 1e-12, 1e-6, 1e-3, 0.1, 2.0, 20.0}) {
      for (int trial = 0; trial < 20; ++trial) {
        Bench<T> b(joint);
        b.randomize(random, size);
        const Eigen::Matrix4d expected =
            placement(joint, b.q.template cast<double>()) *
            exponential(twist_matrix(0.7 * host::spread(joint, b.v.template cast<double>())));
        CHECK_TRUE(Status::kOk == b.advance(T(0.7)));
        CHECK_AT_MOST(bound * (1 + size),
                      test::relative_error(placement(joint, b.q.template cast<double>()), expected),
                      "");
      }
    }
  }
}

template <class T>
void check_difference_undoes_advance(double bound) {
  test::Random random(4);
  for (const JointType joint : kAllJoints) {
    for (const double size : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 1.8}) {  // less than half a turn
      for (int trial = 0; trial < 50; ++trial) {
        Bench<T> b(joint);
        b.randomize(random, size);
        const auto from = b.q;
        auto found = b.v;
        CHECK_TRUE(Status::kOk == b.advance(T(1)));
        CHECK_TRUE(Status::kOk == difference(b.table, from, b.q, found));
        CHECK_AT_MOST(bound, test::relative_error(found, b.v), "");
      }
    }
  }
}

}  // namespace

TEST_GROUP(JointSpace){};

TEST(JointSpace, AdvanceIsTheExponentialOfTheTwist) {
  check_against_exponential<double>(3e-14);
  check_against_exponential<float>(6e-7);
}

TEST(JointSpace, DifferenceUndoesAdvance) {
  check_difference_undoes_advance<double>(1e-14);
  check_difference_undoes_advance<float>(4e-6);
}

TEST(JointSpace, DifferenceFindsHalfATurnAndTheShortWayRound) {
  Bench<> b(JointType::kBall);
  auto to = b.q;
  auto v = b.v;
  to << 0, 1, 0, 0;
  CHECK_TRUE(Status::kOk == difference(b.table, b.q, to, v));
  CHECK_AT_MOST(1e-15, (v - Eigen::Vector3d(0, kPi, 0)).norm(), "half a turn");
  to << 0, 0, 0, -1;  // the same place, told by the other quaternion
  CHECK_TRUE(Status::kOk == difference(b.table, b.q, to, v));
  CHECK_AT_MOST(0, v.norm(), "no turn");
  to << std::sin(0.05), 0, 0, -std::cos(0.05);
  CHECK_TRUE(Status::kOk == difference(b.table, b.q, to, v));
  CHECK_AT_MOST(1e-15, (v - Eigen::Vector3d(-0.1, 0, 0)).norm(), "the other way");
}

TEST(JointSpace, TheAngleOfAQuarterTurnIsExactToRounding) {
  for (int i = 0; i <= 1000; ++i) {
    const double angle = i * (kPi / 2 / 1000);
    const double found = quarter_turn_angle(std::sin(angle), std::cos(angle));
    CHECK_AT_MOST(4e-16 * angle, std::abs(found - angle), "double");
    const auto narrow = static_cast<float>(angle);
    const float narrow_found = quarter_turn_angle(std::sin(narrow), std::cos(narrow));
    CHECK_AT_MOST(2e-7 * angle,
                  std::abs(static_cast<double>(narrow_found) - static_cast<double>(narrow)),
                  "float");
  }
}

TEST(JointSpace, AJointMaySpinForEver) {
  for (const JointType joint : {JointType::kRevolute, JointType::kPlanar}) {
    Bench<float> b(joint);
    const float far = 3216.99f;  // two such steps leave half of kMaxAngle
    b.v.tail<1>()[0] = far;
    for (int i = 0; i < 1000; ++i) {
      const double before = static_cast<double>(b.q.tail<1>()[0]);
      CHECK_TRUE(Status::kOk == b.advance(1));
      const double angle = static_cast<double>(b.q.tail<1>()[0]);
      CHECK_TRUE(std::abs(angle) <= static_cast<double>(kMaxAngle<float>) / 2);
      const double off = std::remainder(angle - (before + static_cast<double>(far)), 2 * kPi);
      CHECK_AT_MOST(5e-4, std::abs(off), "place");  // the spacing of floats at 2^12
    }
  }
}

TEST(JointSpace, BadMotionsAreRefusedAndChangeNothing) {
  const auto refused = [](auto& b, double dt) {
    const auto before = b.q;
    const Status status = b.advance(dt);
    CHECK_TRUE((b.q.array() == before.array() || b.q.array().isNaN()).all());
    return status;
  };
  for (const JointType joint : kAllJoints) {
    Bench<> q(joint), v(joint), dt(joint), far(joint);
    q.q[0] = kInfinity;
    v.v[0] = kInfinity;
    CHECK_TRUE(Status::kNotFinite == refused(q, 1));
    CHECK_TRUE(Status::kNotFinite == refused(v, 1));
    CHECK_TRUE(Status::kNotFinite == refused(dt, kInfinity));
    far.v.setConstant(1e300);
    const Status status = refused(far, 1e300);
    CHECK_TRUE(Status::kOverflow == status);
  }
  for (const JointType joint : {JointType::kRevolute, JointType::kBall, JointType::kPlanar}) {
    Bench<> b(joint);
    b.v.setConstant(1e8);
    CHECK_TRUE(Status::kAngleTooLarge == refused(b, 1));
  }
  Bench<> b(JointType::kBall);
  auto v = b.v;
  auto to = b.q;
  to *= 2;
  v.setConstant(7);
  CHECK_TRUE(Status::kNotUnitQuaternion == difference(b.table, b.q, to, v));
  CHECK_TRUE((v.array() == 7).all());
  v.resize(1);
  CHECK_TRUE(Status::kWrongSize == integrate(b.table, b.q, v, 1));
  CHECK_TRUE(Status::kWrongSize == difference(b.table, b.q, b.q, v));
  to.resize(2);
  CHECK_TRUE(Status::kWrongSize == integrate(b.table, to, b.v, 1));
  CHECK_TRUE(Status::kWrongSize == difference(b.table, to, b.q, b.v));
  CHECK_TRUE(Status::kWrongSize == difference(b.table, b.q, to, b.v));
  // from one end of all numbers to the other
  Bench<> slider(JointType::kPrismatic);
  auto here = slider.q, there = slider.q;
  here[0] = -1.5e308, there[0] = 1.5e308;
  slider.v.setConstant(7);
  CHECK_TRUE(Status::kOverflow == difference(slider.table, here, there, slider.v));
  CHECK_TRUE((slider.v.array() == 7).all());
}

TEST(JointSpace, NeverAllocates) {
  Bench<> b(JointType::kFloating);
  auto from = b.q;
  LONGS_EQUAL(0, test::allocations_in([&] {
                b.v.setConstant(1);
                CHECK_TRUE(Status::kOk == b.advance(0.1));
                CHECK_TRUE(Status::kOk == difference(b.table, from, b.q, b.v));
              }));
}
