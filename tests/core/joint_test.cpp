#include "lockstep/joint.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>
#include <vector>

#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

Eigen::Matrix3d eigen(const Mat3<double>& M) {
  Eigen::Matrix3d result;
  result << M.x.x, M.y.x, M.z.x, M.x.y, M.y.y, M.z.y, M.x.z, M.y.z, M.z.z;
  return result;
}
Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

template <JointType kJoint>
std::vector<double> random_q(test::Random& random) {
  std::vector<double> q;
  for (int i = 0; i < config_count(kJoint); ++i) q.push_back(random.uniform(-2, 2));
  if constexpr (kJoint == JointType::kBall || kJoint == JointType::kFloating) {
    const Eigen::Quaterniond unit = random.rotation();
    for (int i = 0; i < 4; ++i) q[q.size() - 4 + static_cast<std::size_t>(i)] = unit.coeffs()[i];
  }
  return q;
}

// q a moment later, by the meaning of v that model.hpp states.
template <JointType kJoint>
std::vector<double> step(std::vector<double> q, const std::vector<double>& v, double h) {
  const auto turn = [&](double* quaternion, const double* rate) {
    const Eigen::Vector3d w(rate[0], rate[1], rate[2]);
    const Eigen::Quaterniond turned =
        Eigen::Quaterniond(Eigen::Map<const Eigen::Vector4d>(quaternion)) *
        Eigen::Quaterniond(Eigen::AngleAxisd(w.norm() * h, w.normalized()));
    Eigen::Map<Eigen::Vector4d>{quaternion} = turned.coeffs();
  };
  if constexpr (kJoint == JointType::kBall) {
    turn(q.data(), v.data());
  } else if constexpr (kJoint == JointType::kFloating) {
    const Eigen::Quaterniond now(Eigen::Map<const Eigen::Vector4d>(q.data() + 3));
    const Eigen::Vector3d moved = now * Eigen::Vector3d(v[0], v[1], v[2]) * h;
    for (std::size_t i = 0; i < 3; ++i) q[i] += moved[static_cast<Eigen::Index>(i)];
    turn(q.data() + 3, v.data() + 3);
  } else if constexpr (kJoint == JointType::kPlanar) {
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    q[0] += h * (c * v[0] - s * v[1]);
    q[1] += h * (s * v[0] + c * v[1]);
    q[2] += h * v[2];
  } else {
    q[0] += h * v[0];
  }
  return q;
}

template <JointType kJoint>
void check_motion_against_differences() {
  test::Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Matrix3d R0 = random.rotation().toRotationMatrix();
    const Eigen::Vector3d p0 = random.vector(1);
    Placement<double> X_PJ;
    X_PJ.R = {{R0(0, 0), R0(1, 0), R0(2, 0)},
              {R0(0, 1), R0(1, 1), R0(2, 1)},
              {R0(0, 2), R0(1, 2), R0(2, 2)}};
    X_PJ.p = {p0[0], p0[1], p0[2]};
    const std::vector<double> q = random_q<kJoint>(random);
    std::vector<double> v;
    for (int i = 0; i < dof_count(kJoint); ++i) v.push_back(random.uniform(-1, 1));

    const double h = 1e-5;
    const auto before = place_body<kJoint>(X_PJ, step<kJoint>(q, v, -h).data());
    const auto now = place_body<kJoint>(X_PJ, q.data());
    const auto after = place_body<kJoint>(X_PJ, step<kJoint>(q, v, h).data());
    const Eigen::Matrix3d R = eigen(now.R);
    CHECK_AT_MOST(1e-14, test::relative_error(R * R.transpose(), Eigen::Matrix3d::Identity()), "R");
    const Eigen::Matrix3d W = R.transpose() * (eigen(after.R) - eigen(before.R)) / (2 * h);
    const Eigen::Vector3d linear = R.transpose() * (eigen(after.p) - eigen(before.p)) / (2 * h);

    Spatial<double> V{};
    add_joint_motion<kJoint>(V, v.data());
    CHECK_AT_MOST(1e-8, test::relative_error(eigen(V.linear), linear), "linear");
    CHECK_AT_MOST(
        1e-8, test::relative_error(eigen(V.angular), Eigen::Vector3d(W(2, 1), W(0, 2), W(1, 0))),
        "angular");

    // the bias is the motion cross product with the joint's own twist
    Spatial<double> body{};
    unroll<6>([&](auto axis) { body.at<axis()>() = random.uniform(-1, 1); });
    const auto bias = joint_bias<kJoint>(body, v.data()), full = cross_motion(body, V);
    CHECK_AT_MOST(1e-15, test::relative_error(eigen(bias.linear), eigen(full.linear)), "bias");
    CHECK_AT_MOST(1e-15, test::relative_error(eigen(bias.angular), eigen(full.angular)), "bias");
  }
}

}  // namespace

TEST_GROUP(Joint){};

TEST(Joint, RevoluteMovesAsItsRatesSay) {
  check_motion_against_differences<JointType::kRevolute>();
}
TEST(Joint, PrismaticMovesAsItsRatesSay) {
  check_motion_against_differences<JointType::kPrismatic>();
}
TEST(Joint, BallMovesAsItsRatesSay) { check_motion_against_differences<JointType::kBall>(); }
TEST(Joint, PlanarMovesAsItsRatesSay) { check_motion_against_differences<JointType::kPlanar>(); }
TEST(Joint, FloatingMovesAsItsRatesSay) {
  check_motion_against_differences<JointType::kFloating>();
}

TEST(Joint, FreeAndConstrainedAxesShareTheSixBetweenThem) {
  for (int type = 0; type < kJointTypes; ++type) {
    dispatch(static_cast<JointType>(type), []<JointType kJoint>() {
      unsigned seen = 0;
      for_free_axes<kJoint>([&](auto, auto axis) { seen += 1u << axis(); });
      for_constrained_axes<kJoint>([&](auto, auto axis) { seen += 1u << axis(); });
      LONGS_EQUAL(0b111111, seen);
      LONGS_EQUAL(dof_count(kJoint), JointAxes<kJoint>::kFree.size());
    });
  }
}

TEST(Joint, QuaternionLengthDoesNotMatter) {
  const double q[] = {0.1, -0.2, 0.3, 0.9}, longer[] = {0.2, -0.4, 0.6, 1.8};
  CHECK_AT_MOST(
      1e-15,
      test::relative_error(eigen(quaternion_rotation(q)), eigen(quaternion_rotation(longer))), "");
}
