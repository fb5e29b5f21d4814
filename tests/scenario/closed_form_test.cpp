// Mechanisms whose motion is known in closed form, by every method. Written down from textbook
// equations. "Down" is the world's +x where a pendulum swings, so that angles count from hanging.
#include <CppUTest/TestHarness.h>

#include <cmath>

#include "support/answers.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using host::DenseInput;
using host::Vector6d;

constexpr double kBound = 1e-13;
constexpr double kG = 9.81;

Body joint(JointType type, int parent = kWorld) {
  Body body;
  body.parent = parent;
  body.joint = type;
  return body;
}

// A state at rest, with gravity as given.
DenseInput under(const Vector3d& gravity, std::span<const Body> bodies) {
  DenseInput in = host::rest(bodies);
  in.gravity = gravity;
  return in;
}

void check_vdot(std::span<const Body> bodies, const DenseInput& in, const VectorXd& expected) {
  for (const auto& [name, method] : kAllMethods) {
    CHECK_AT_MOST(kBound, relative_error(answer(bodies, in, method).vdot, expected), name);
  }
}

void check_reaction(std::span<const Body> bodies, const DenseInput& in, Eigen::Index body,
                    const Vector6d& expected) {
  for (const auto& [name, method] : kAllMethods) {
    const auto out = answer(bodies, in, method);
    CHECK_AT_MOST(kBound, relative_error(out.reaction.col(body), expected), name);
  }
}

// A box of edges 0.2, 0.3, 0.5 and its principal moments.
constexpr double kMass = 1.7;
const Vector3d kEdges(0.2, 0.3, 0.5);
const Vector3d kMoments = kMass / 12 * Vector3d(0.09 + 0.25, 0.04 + 0.25, 0.04 + 0.09);

}  // namespace

TEST_GROUP(ClosedForm){};

// theta'' = (tau - m g l sin theta) / (I + m l^2); the rod's pull is the weight and m l theta'^2
TEST(ClosedForm, PendulumSwingsAndPulls) {
  const double l = 0.6, theta = 0.8, rate = -1.3, tau = 0.9;
  std::vector<Body> bodies = {joint(JointType::kRevolute)};
  make_box(bodies[0], kMass, kEdges, {l, 0, 0});
  DenseInput in = under({kG, 0, 0}, bodies);
  in.q << theta;
  in.v << rate;
  in.tau << tau;
  const double acceleration =
      (tau - kMass * kG * l * std::sin(theta)) / (kMoments.z() + kMass * l * l);
  check_vdot(bodies, in, VectorXd::Constant(1, acceleration));
  check_reaction(bodies, in, 0,
                 Vector6d{{-kMass * (l * rate * rate + kG * std::cos(theta)),
                           kMass * (l * acceleration + kG * std::sin(theta)), 0, 0, 0, tau}});
}

// two point masses on massless rods; t1 and t2 count from straight down
TEST(ClosedForm, DoublePendulumFollowsTheTextbook) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.8, l2 = 0.5;
  std::vector<Body> bodies = {joint(JointType::kRevolute), joint(JointType::kRevolute, 0)};
  make_box(bodies[0], m1, Vector3d::Zero(), {l1, 0, 0});
  make_box(bodies[1], m2, Vector3d::Zero(), {l2, 0, 0});
  bodies[1].p_PJ = {l1, 0, 0};
  Random random(5);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const double t1 = random.uniform(-3, 3), t2 = random.uniform(-3, 3);
    const double w1 = random.uniform(-4, 4), w2 = random.uniform(-4, 4);
    DenseInput in = under({kG, 0, 0}, bodies);
    in.q << t1, t2 - t1;
    in.v << w1, w2 - w1;
    const double d = t1 - t2, M = 2 * m1 + m2 - m2 * std::cos(2 * d);
    const double a1 = (-kG * (2 * m1 + m2) * std::sin(t1) - m2 * kG * std::sin(t1 - 2 * t2) -
                       2 * std::sin(d) * m2 * (w2 * w2 * l2 + w1 * w1 * l1 * std::cos(d))) /
                      (l1 * M);
    const double a2 = 2 * std::sin(d) *
                      (w1 * w1 * l1 * (m1 + m2) + kG * (m1 + m2) * std::cos(t1) +
                       w2 * w2 * l2 * m2 * std::cos(d)) /
                      (l2 * M);
    check_vdot(bodies, in, Vector2d(a1, a2 - a1));
  }
}

// Euler's equations: I w' = n - w x I w
TEST(ClosedForm, FreeGyroscopeObeysEuler) {
  std::vector<Body> bodies = {joint(JointType::kFloating)};
  make_box(bodies[0], kMass, kEdges, Vector3d::Zero());
  Random random(6);
  const Quaterniond R = random.rotation();
  const Vector3d v(0.3, -0.2, 0.7), w(2, -3, 5), force(4, 5, -6), moment(0.3, -0.7, 0.2);
  DenseInput in = under({0, 0, -kG}, bodies);
  in.q << 1, 2, 3, R.coeffs();
  in.v << v, w;
  in.tau << force, moment;
  const Vector3d turn = (moment - w.cross(kMoments.cwiseProduct(w))).cwiseQuotient(kMoments);
  const Vector3d slide = R.conjugate() * in.gravity + force / kMass - w.cross(v);
  check_vdot(bodies, in, Vector6d{{slide[0], slide[1], slide[2], turn[0], turn[1], turn[2]}});
  check_reaction(bodies, in, 0, in.tau);
}

// the centre of mass falls freely, wherever the frame sits on the tumbling box
TEST(ClosedForm, ProjectileKeepsItsParabola) {
  const Vector3d centre(0.3, -0.1, 0.2), v(3, 1, -2), w(4, -1, 2);
  std::vector<Body> bodies = {joint(JointType::kFloating)};
  make_box(bodies[0], kMass, kEdges, centre);
  Random random(8);
  const Quaterniond R = random.rotation();
  DenseInput in = under({0, 0, -kG}, bodies);
  in.q << 0, 0, 10, R.coeffs();
  in.v << v, w;
  const Vector3d turn = (-w.cross(kMoments.cwiseProduct(w))).cwiseQuotient(kMoments);
  const Vector3d slide =
      R.conjugate() * in.gravity - w.cross(v) - turn.cross(centre) - w.cross(w.cross(centre));
  check_vdot(bodies, in, Vector6d{{slide[0], slide[1], slide[2], turn[0], turn[1], turn[2]}});
}

// a top on a ball joint: I about the tip, the weight's moment, and the tip bears what is left
TEST(ClosedForm, HeavyTopPrecesses) {
  const double l = 0.4;
  std::vector<Body> bodies = {joint(JointType::kBall)};
  make_box(bodies[0], kMass, kEdges, {0, 0, l});
  const Vector3d I = kMoments + kMass * l * l * Vector3d(1, 1, 0), w(0.5, -1, 30), n(1, -2, 0.5);
  Random random(9);
  const Quaterniond R = random.rotation();
  DenseInput in = under({0, 0, -kG}, bodies);
  in.q << R.coeffs();
  in.v << w;
  in.tau << n;
  const Vector3d weight = kMass * (R.conjugate() * in.gravity), arm(0, 0, l);
  const Vector3d turn = (n + arm.cross(weight) - w.cross(I.cwiseProduct(w))).cwiseQuotient(I);
  check_vdot(bodies, in, turn);
  const Vector3d held = kMass * (turn.cross(arm) + w.cross(w.cross(arm))) - weight;
  check_reaction(bodies, in, 0, Vector6d{{held[0], held[1], held[2], n[0], n[1], n[2]}});
}

TEST(ClosedForm, SliderFeelsEffortDamperAndSlope) {
  const double slope = 0.4, tau = 3, rate = 1.5;
  std::vector<Body> bodies = {joint(JointType::kPrismatic)};
  make_box(bodies[0], kMass, kEdges, {0.1, 0.2, 0.3});
  bodies[0].damping = 0.7;
  const Vector3d gravity(kG * std::cos(slope), 0, -kG * std::sin(slope));
  DenseInput in = under(gravity, bodies);
  in.q << 0.2;
  in.v << rate;
  in.tau << tau;
  check_vdot(bodies, in, VectorXd::Constant(1, (tau - 0.7 * rate) / kMass + gravity.z()));
}

// r'' = r w^2 + f/m,  w' = (n - 2 m r r' w) / (I + m r^2)
TEST(ClosedForm, BeadOnATurningArmFeelsCoriolis) {
  const double m = 0.8, r = 0.7, r_rate = 1.1, w = 2.3, n = 0.6, f = 0.4;
  std::vector<Body> bodies = {joint(JointType::kRevolute), joint(JointType::kPrismatic, 0)};
  make_box(bodies[0], kMass, kEdges, Vector3d::Zero());
  make_box(bodies[1], m, Vector3d::Zero(), Vector3d::Zero());
  bodies[1].R_PJ = {0, 0, 1, 1, 0, 0, 0, 1, 0};  // slides along the arm's x
  DenseInput in = under(Vector3d::Zero(), bodies);
  in.q << 0.3, r;
  in.v << w, r_rate;
  in.tau << n, f;
  check_vdot(
      bodies, in,
      Vector2d((n - 2 * m * r * r_rate * w) / (kMoments.z() + m * r * r), r * w * w + f / m));
}

// velocity and force in the puck's own axes; the table bears the rest of the weight
TEST(ClosedForm, PuckOnATiltedTable) {
  const double angle = 0.9, w = 1.4, vx = 0.5, vy = -0.8;
  const Vector3d gravity(1, -2, -9), force(0.7, 0.2, 0.05);
  std::vector<Body> bodies = {joint(JointType::kPlanar)};
  make_box(bodies[0], kMass, kEdges, Vector3d::Zero());
  DenseInput in = under(gravity, bodies);
  in.q << 3, 4, angle;
  in.v << vx, vy, w;
  in.tau << force;
  const double gx = gravity.x() * std::cos(angle) + gravity.y() * std::sin(angle);
  const double gy = gravity.y() * std::cos(angle) - gravity.x() * std::sin(angle);
  check_vdot(bodies, in,
             Vector3d(gx + force[0] / kMass + w * vy, gy + force[1] / kMass - w * vx,
                      force[2] / kMoments.z()));
  check_reaction(bodies, in, 0,
                 Vector6d{{force[0], force[1], -kMass * gravity.z(), 0, 0, force[2]}});
}

}  // namespace lockstep::test
