#include "lockstep/contact/contact_rows.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <memory>

#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/contact/contact_step.hpp"
#include "lockstep/contact/detect.hpp"
#include "lockstep/rows/pivoting.hpp"
#include "lockstep/table_model.hpp"
#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::contact;
using Eigen::Vector3d;

namespace {

Vec3<double> vec(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

const Placement<double> kOrigin = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};

constraint::FrameMotion<double> random_frame(test::Random& random) {
  return {vec(random.vector(1)), kOrigin.R, vec(random.vector(1)), vec(random.vector(1))};
}

// Of the point of a rigid body that is at `p` now, t later, while v and w are constant.
Vector3d material_velocity(const constraint::FrameMotion<double>& F, const Vec3<double>& p,
                           double t) {
  const Vector3d w = eigen(F.w), arm = eigen(p) - eigen(F.p);
  return eigen(F.v) + w.cross(Eigen::AngleAxisd(t * w.norm(), w.normalized()) * arm);
}

}  // namespace

TEST_GROUP(ContactRows){};

TEST(ContactRows, MoveAsThePointsOfBothBodiesDo) {
  test::Random random(7);
  for (int i = 0; i < 50; ++i) {
    const auto A = random_frame(random), B = random_frame(random);
    const Contact<double> contact = {.a = 0,
                                     .b = 1,
                                     .point = vec(random.vector(1)),
                                     .normal = vec(random.vector(1).normalized()),
                                     .distance = -0.01,
                                     .material = {}};
    CHECK(Touch<double>{contact}.check() == Status::kOk);
    const auto rows = Touch<double>{contact}.rows(A, B, 0);
    const auto found = velocities(rows, A, B);
    const auto relative = [&](double t) {
      return Vector3d(material_velocity(A, contact.point, t) -
                      material_velocity(B, contact.point, t));
    };
    const double h = 1e-5;
    const Vector3d rate = (relative(h) - relative(-h)) / (2 * h);
    Eigen::Matrix3d axes;
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      axes.col(k) = eigen(rows.a[at].linear);
      DOUBLES_EQUAL(axes.col(k).dot(relative(0)), found[at], 1e-14);
      DOUBLES_EQUAL(axes.col(k).dot(rate), rows.bias[at], 1e-8);
    }
    DOUBLES_EQUAL(0, (axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    DOUBLES_EQUAL(0, (axes.col(0) - eigen(contact.normal)).norm(), 0);
    DOUBLES_EQUAL(-0.01, rows.value[0], 0);
  }
}

// A ball that rolls at 10 m/s, in joint space: w^2 r is a hundred times its weight, and it still
// presses with its weight, wherever the body's frame is.
TEST(ContactRows, FastWheelInATreePressesWithItsWeight) {
  constexpr int kRows = 3;
  const double mass = 2, radius = 0.1, speed = 10, dt = 1e-3;
  for (const Vector3d& offset : {Vector3d(0, 0, 0), Vector3d(0.03, -0.02, 0.05)}) {
    const Eigen::Matrix3d I =
        0.4 * mass * radius * radius * Eigen::Matrix3d::Identity() +
        mass * (offset.squaredNorm() * Eigen::Matrix3d::Identity() - offset * offset.transpose());
    const Body body = {.joint = JointType::kFloating,
                       .mass = mass,
                       .h = {mass * offset.x(), mass * offset.y(), mass * offset.z()},
                       .inertia = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}};
    using Model = TableModel<double, 1>;
    using Tree = ConstrainedSolver<Model, double, kRows>;
    const auto model = std::make_unique<Model>();
    CHECK(model->assign(std::array<Body, 1>{body}) == Status::kOk);
    Tree tree(*model);

    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
    const Vector3d w(0, speed / radius, 0), arm = turn * offset;
    const Vector3d p = Vector3d(0, 0, radius) - arm, v = Vector3d(speed, 0, 0) - w.cross(arm);
    auto in = tree.make_input();
    in.q << p, turn.coeffs();
    in.v << turn.conjugate() * v, turn.conjugate() * w;
    in.tau.setZero();
    in.gravity << 0, 0, -9.81;
    CHECK(tree.begin(in) == Status::kOk);

    Collider<double> collider = {.body = 0, .X_BS = kOrigin, .shape = sphere(radius)};
    collider.X_BS.p = vec(offset);
    collider.material.friction = 0.5;
    const Plane<double> floor = {.material = {.friction = 0.5}};
    const std::array<Placement<double>, 1> poses = {tree.motion(0).X_WB};
    ContactList<double, 1> list;
    CHECK(detect<double>({&collider, 1}, {}, poses, floor, 1e-3, list) == Status::kOk);
    LONGS_EQUAL(1, list.size());
    const auto touch = touching(list[0]);
    CHECK(tree.add(touch, 0, kWorld) == Status::kOk);

    rows::System<double, kRows> system;
    CHECK(tree.anticipate(system) == Status::kOk);
    const auxiliary::MovingFrame<double> A(tree.motion(0), kOrigin),
        W(tree.motion(kWorld), kOrigin);
    const auto now = touch.constraint.rows(A.frame(), W.frame(), 0);
    const auto velocity = velocities(now, A.frame(), W.frame());
    CHECK(to_impulses<double>(list.span(), 0, velocity, dt, {}, system) == Status::kOk);
    rows::PivotingSolver<double, kRows> solver;
    rows::Solution<double, kRows> solution;
    CHECK(solver.solve(system, {}, solution) == Status::kOk);
    for (double& force : solution.mu) force /= dt;
    DOUBLES_EQUAL(mass * 9.81, solution.mu[0], 1e-8);
    DOUBLES_EQUAL(0, solution.mu[1], 1e-8);
    DOUBLES_EQUAL(0, solution.mu[2], 1e-8);
    auto out = tree.make_output();
    CHECK(tree.finish(solution.mu, out) == Status::kOk);
    DOUBLES_EQUAL(0, out.vdot.tail(3).norm(), 1e-8);
  }
}

TEST(ContactRows, NumbersMustBeFinite) {
  Contact<double> good{};
  good.normal = {0, 0, 1};
  CHECK(Touch<double>{good}.check() == Status::kOk);
  for (double Contact<double>::*const number :
       {&Contact<double>::distance, &Contact<double>::rolling_a, &Contact<double>::rolling_b}) {
    Contact<double> contact = good;
    contact.*number = std::numeric_limits<double>::quiet_NaN();
    CHECK(Touch<double>{contact}.check() == Status::kBadConstraint);
  }
  good.point.y = std::numeric_limits<double>::infinity();
  CHECK(Touch<double>{good}.check() == Status::kBadConstraint);
}

TEST(ContactRows, NormalMustBeAUnitVector) {
  Contact<double> contact{};
  CHECK(Touch<double>{contact}.check() == Status::kBadConstraint);
  contact.normal = {0, 1, 0};
  CHECK(Touch<double>{contact}.check() == Status::kOk);
  contact.material.friction = -1;
  CHECK(Touch<double>{contact}.check() == Status::kBadConstraint);
}
