#include "lockstep/maximal/body.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "core/maximal/bodies.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::at;

namespace {

constexpr double kStep = 1e-3;
constexpr int kTrials = 20;

template <class B>
using Velocity = maximal::Vector<double, B::kDimension>;

// The acceleration of a point, to the fourth order.
template <class F>
Eigen::Vector3d acceleration_of(F&& f) {
  return (16 * (f(kStep) + f(-kStep)) - (f(2 * kStep) + f(-2 * kStep)) - 30 * f(0)) /
         (12 * kStep * kStep);
}

template <class B>
Velocity<B> unit(int i) {
  Velocity<B> e{};
  e[at(i)] = 1;
  return e;
}

template <class B>
Eigen::MatrixXd mass_matrix(const B& body, const typename B::Pose& pose) {
  const auto M = body.mass_matrix(pose);
  Eigen::MatrixXd result(B::kDimension, B::kDimension);
  for (int r = 0; r < B::kDimension; ++r) {
    for (int c = 0; c < B::kDimension; ++c) result(r, c) = M[at(r)][at(c)];
  }
  return result;
}

template <class B>
Eigen::VectorXd eigen(const Velocity<B>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), B::kDimension);
}

// One step of the classical scheme in pose (+) u.
template <class B>
void runge_kutta(const B& body, typename B::Pose& pose, Velocity<B>& velocity, double h,
                 const Velocity<B>& applied = {}) {
  const auto acceleration = [&](const typename B::Pose& at_pose, const Velocity<B>& at_velocity) {
    const Velocity<B> force = body.inertial_force(at_pose, at_velocity);
    const Eigen::VectorXd a =
        mass_matrix(body, at_pose).llt().solve(eigen<B>(force) + eigen<B>(applied));
    Velocity<B> result;
    for (int i = 0; i < B::kDimension; ++i) result[at(i)] = a(i);
    return result;
  };
  const auto along = [](Velocity<B> from, double time, const Velocity<B>& rate) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] += time * rate[i];
    return from;
  };
  const Velocity<B> start = velocity;
  Velocity<B> u_rate{}, v_rate{}, u_sum{}, v_sum{};
  const double times[] = {0, h / 2, h / 2, h}, weights[] = {h / 6, h / 3, h / 3, h / 6};
  for (int stage = 0; stage < 4; ++stage) {
    const Velocity<B> u = along({}, times[stage], u_rate);
    const Velocity<B> v = along(start, times[stage], v_rate);
    typename B::Pose moved = pose;
    CHECK(body.integrate(moved, u, 1) == Status::kOk);
    u_rate = body.rate_along(u, v);
    v_rate = acceleration(moved, v);
    u_sum = along(u_sum, weights[stage], u_rate);
    v_sum = along(v_sum, weights[stage], v_rate);
  }
  CHECK(body.integrate(pose, u_sum, 1) == Status::kOk);
  velocity = along(start, 1, v_sum);
}

}  // namespace

TEST_GROUP(MaximalBody){};

TEST(MaximalBody, EveryTypeMeetsTheConcept) {
  for_all_bodies([]<class B>() {
    static_assert(maximal::Body<B> && maximal::Framed<B>);
    Random random(1);
    CHECK(body_of<B>(random_cloud<B>(random)).check() == Status::kOk);
  });
  static_assert(maximal::Body<maximal::RigidBody<float>>);
  static_assert(maximal::Framed<maximal::World<float>>);
}

TEST(MaximalBody, AdvanceFollowsAConstantVelocity) {
  for_all_bodies([]<class B>() {
    Random random(2);
    for (int trial = 0; trial < kTrials; ++trial) {
      const B body = body_of<B>(random_cloud<B>(random));
      const typename B::Pose start = random_pose<B>(random);
      const Velocity<B> v = random_velocity<B>(random);
      const Eigen::Vector3d r = random.vector(1);
      typename B::Pose pose = start;
      CHECK(body.integrate(pose, v, 0.7) == Status::kOk);
      CHECK_AT_MOST(1e-14,
                    relative_error(shape<B>(pose, v, 0).point(r), shape<B>(start, v, 0.7).point(r)),
                    "pose");
    }
  });
}

TEST(MaximalBody, MassMatrixIsTheKineticEnergyOfItsPoints) {
  for_all_bodies([]<class B>() {
    Random random(3);
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto cloud = random_cloud<B>(random);
      const typename B::Pose pose = random_pose<B>(random);
      const Eigen::MatrixXd M = mass_matrix(body_of<B>(cloud), pose);
      Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(B::kDimension, B::kDimension);
      for (const PointMass& point : cloud) {
        Eigen::Matrix3Xd J(3, B::kDimension);
        for (int i = 0; i < B::kDimension; ++i) {
          J.col(i) =
              rate_of([&](double t) { return shape<B>(pose, unit<B>(i), t).point(point.r); });
        }
        expected += point.mass * J.transpose() * J;
      }
      CHECK_AT_MOST(1e-10, relative_error(M, expected), "mass matrix");
    }
  });
}

// D'Alembert: what the accelerations of the points, at constant velocity, cost along each motion.
TEST(MaximalBody, InertialForceIsThatOfItsPoints) {
  for_all_bodies([]<class B>() {
    Random random(4);
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto cloud = random_cloud<B>(random);
      const typename B::Pose pose = random_pose<B>(random);
      const Velocity<B> v = random_velocity<B>(random);
      Eigen::VectorXd expected = Eigen::VectorXd::Zero(B::kDimension);
      for (const PointMass& point : cloud) {
        const Eigen::Vector3d a =
            acceleration_of([&](double t) { return shape<B>(pose, v, t).point(point.r); });
        for (int i = 0; i < B::kDimension; ++i) {
          expected(i) -= point.mass * a.dot(rate_of([&](double t) {
            return shape<B>(pose, unit<B>(i), t).point(point.r);
          }));
        }
      }
      const Velocity<B> force = body_of<B>(cloud).inertial_force(pose, v);
      CHECK_AT_MOST(1e-8, relative_error(eigen<B>(force), expected), "inertial force");
    }
  });
}

// Lagrange's equations along the motion itself: v . Q = dT/dt - v . M vdot at vdot = 0, negated.
TEST(MaximalBody, InertialForceBalancesTheKineticEnergy) {
  for_all_bodies([]<class B>() {
    Random random(5);
    for (int trial = 0; trial < kTrials; ++trial) {
      const B body = body_of<B>(random_cloud<B>(random));
      const typename B::Pose pose = random_pose<B>(random);
      const Velocity<B> v = random_velocity<B>(random);
      const double rate = rate_of([&](double t) {
        typename B::Pose moved = pose;
        CHECK(body.integrate(moved, v, t) == Status::kOk);
        return (0.5 * eigen<B>(v).transpose() * mass_matrix(body, moved) * eigen<B>(v)).eval();
      })(0);
      DOUBLES_EQUAL(-rate, eigen<B>(v).dot(eigen<B>(body.inertial_force(pose, v))), 1e-9);
    }
  });
}

TEST(MaximalBody, FramesMoveAsTheirPointsAndAxesDo) {
  for_all_bodies([]<class B>() {
    Random random(6);
    for (int trial = 0; trial < kTrials; ++trial) {
      const B body = body_of<B>(random_cloud<B>(random));
      const typename B::Pose pose = random_pose<B>(random);
      const Velocity<B> v = random_velocity<B>(random);
      const Eigen::Isometry3d X = random_placement(random);
      const auto k = body.kinematics(pose, v, placement(X));
      const auto point = [&](double t) {
        return Eigen::Vector3d(shape<B>(pose, v, t).point(X.translation()));
      };
      const auto axis = [&](double t) {
        return Eigen::Vector3d(shape<B>(pose, v, t).R * X.linear().col(0));
      };
      CHECK_AT_MOST(1e-14, relative_error(test::eigen(k.frame.p), point(0)), "origin");
      CHECK_AT_MOST(1e-14, relative_error(test::eigen(k.frame.R.x), axis(0)), "axis");
      CHECK_AT_MOST(1e-10, relative_error(test::eigen(k.frame.v), rate_of(point)),
                    "velocity of the origin");
      CHECK_AT_MOST(1e-10,
                    relative_error(test::eigen(cross(k.frame.w, k.frame.R.x)), rate_of(axis)),
                    "velocity of an axis");
      CHECK_AT_MOST(1e-8, relative_error(test::eigen(k.bias.linear), acceleration_of(point)),
                    "acceleration of the origin");
      CHECK_AT_MOST(0, test::eigen(k.bias.angular).norm(), "angular acceleration");
      Spatial<double> twist{};
      for (int i = 0; i < B::kDimension; ++i) {
        const Spatial<double> column = k.columns()[at(i)];
        twist = twist + Spatial<double>{v[at(i)] * column.linear, v[at(i)] * column.angular};
      }
      CHECK_AT_MOST(1e-14, relative_error(test::eigen(twist.linear), test::eigen(k.frame.v)), "J");
      CHECK_AT_MOST(1e-14, relative_error(test::eigen(twist.angular), test::eigen(k.frame.w)), "J");
    }
  });
}

TEST(MaximalBody, PowerOfAWrenchIsThatOfItsGeneralizedForce) {
  for_all_bodies([]<class B>() {
    Random random(7);
    const B body = body_of<B>(random_cloud<B>(random));
    const typename B::Pose pose = random_pose<B>(random);
    const Velocity<B> v = random_velocity<B>(random);
    const auto k = body.kinematics(pose, v, placement(random_placement(random)));
    const Spatial<double> wrench = {vec3(random.vector(1)), vec3(random.vector(1))};
    const double power = test::eigen(wrench.linear).dot(test::eigen(k.frame.v)) +
                         test::eigen(wrench.angular).dot(test::eigen(k.frame.w));
    DOUBLES_EQUAL(power, eigen<B>(v).dot(eigen<B>(maximal::generalized_force(k, wrench))), 1e-14);
  });
}

// Energy and angular momentum of a free body: the error falls with the fourth power of the step.
TEST(MaximalBody, FreeMotionConservesEnergyAndMomentum) {
  for_all_bodies([]<class B>() {
    Random random(8);
    const auto cloud = random_cloud<B>(random);
    const B body = body_of<B>(cloud);
    const typename B::Pose start = random_pose<B>(random);
    const Velocity<B> start_velocity = random_velocity<B>(random);
    const auto momentum = [&](const typename B::Pose& pose, const Velocity<B>& v) {
      Eigen::Vector4d sum = Eigen::Vector4d::Zero();  // about the centre of mass; energy
      const Eigen::Vector3d centre = shape<B>(pose, v, 0).p;
      for (const PointMass& point : cloud) {
        const Eigen::Vector3d rate =
            rate_of([&](double t) { return shape<B>(pose, v, t).point(point.r); });
        sum.head<3>() += point.mass * (shape<B>(pose, v, 0).point(point.r) - centre).cross(rate);
        sum(3) += 0.5 * point.mass * rate.squaredNorm();
      }
      return sum;
    };
    double error[2];
    for (int halved = 0; halved < 2; ++halved) {
      const int steps = 10 << halved;
      typename B::Pose pose = start;
      Velocity<B> v = start_velocity;
      for (int i = 0; i < steps; ++i) runge_kutta(body, pose, v, 0.8 / steps);
      CHECK(body.check(pose) == Status::kOk);
      for (std::size_t i = 0; i < (std::is_same_v<B, PlanarBody> ? 2 : 3); ++i) {
        DOUBLES_EQUAL(start_velocity[i], v[i], 0);
      }
      error[halved] = (momentum(pose, v) - momentum(start, start_velocity)).norm();
    }
    if (B::kDimension == 3) {  // straight lines and steady turns: nothing to approximate
      CHECK_AT_MOST(1e-10, error[0], "error");
    } else {
      CHECK_AT_MOST(error[0] / 12, error[1], "error of half the step");
    }
  });
}

TEST(MaximalBody, QuaternionsStayUnit) {
  const maximal::RigidBody<float> body = {1, {1, 0, 0, 2, 0, 3}};
  maximal::RigidBody<float>::Pose pose;
  for (int i = 0; i < 10000; ++i)
    CHECK(body.integrate(pose, {0, 0, 0, 3, -2, 1}, 0.01f) == Status::kOk);
  const Eigen::Vector4f q(pose.q.data());
  DOUBLES_EQUAL(1, static_cast<double>(q.norm()), 1e-6);
}

TEST(MaximalBody, BadNumbersAreRefusedAndNothingMoves) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for_all_bodies([]<class B>() {
    Random random(9);
    const B body = body_of<B>(random_cloud<B>(random));
    const typename B::Pose start = random_pose<B>(random);
    for (int i = 0; i < B::kDimension; ++i) {
      Velocity<B> v{};
      v[at(i)] = kNan;
      typename B::Pose pose = start;
      CHECK(body.integrate(pose, v, 1) == Status::kNotFinite);
      const Eigen::Vector3d r(1, 2, 3);
      CHECK(shape<B>(pose, {}, 0).point(r) == shape<B>(start, {}, 0).point(r));
    }
  });
  RigidBody::Pose pose;
  CHECK((RigidBody{1, {1, 0, 0, 1, 0, 1}}.integrate(pose, {0, 0, 0, 1e9, 0, 0}, 1)) ==
        Status::kAngleTooLarge);
  pose.q[3] = 1.1;
  CHECK((RigidBody{1, {1, 0, 0, 1, 0, 1}}.check(pose)) == Status::kNotUnitQuaternion);
  CHECK((RigidBody{1, {1, 0, 0, 1, 2, 1}}.check()) == Status::kBadInertia);
  CHECK((RigidBody{kNan, {1, 0, 0, 1, 0, 1}}.check()) == Status::kBadInertia);
  CHECK((PlanarBody{1, 0}.check()) == Status::kBadInertia);
  CHECK(Particle{-1}.check() == Status::kBadInertia);
  CHECK((StretchingBody{1, {1, 0, 0, 1, 0, 2}}.check()) == Status::kBadInertia);  // a flat disc
}

// Flight under a constant force and moment, beside small steps of Runge-Kutta: of fourth order, and
// with the momentum that the moment gives, to rounding.
TEST(MaximalBody, FlightIsOfFourthOrder) {
  Random random(9);
  const RigidBody body = body_of<RigidBody>(random_cloud<RigidBody>(random));
  const RigidBody::Pose start = random_pose<RigidBody>(random);
  const Velocity<RigidBody> start_velocity = random_velocity<RigidBody>(random);
  const Velocity<RigidBody> force = {0.3, -0.2, 0.5, 0.4, 0.1, -0.3};
  const auto momentum = [&](const RigidBody::Pose& pose, const Velocity<RigidBody>& v) {
    return Eigen::VectorXd(mass_matrix(body, pose) * eigen<RigidBody>(v));
  };
  const auto end = [&](int steps) {
    RigidBody::Pose pose = start;
    Velocity<RigidBody> v = start_velocity;
    for (int i = 0; i < steps; ++i) {
      CHECK(body.fly(pose, v, force, 0.5 / steps) == Status::kOk);
    }
    const Eigen::VectorXd expected =
        momentum(start, start_velocity) + 0.5 * eigen<RigidBody>(force);
    CHECK_AT_MOST(1e-14 + 1e-15 * steps, (momentum(pose, v) - expected).norm(), "momentum");
    return pose;
  };
  const auto apart = [](const RigidBody::Pose& a, const RigidBody::Pose& b) {
    return (Eigen::Vector4d(a.q.data()) - Eigen::Vector4d(b.q.data())).norm();
  };
  RigidBody::Pose exact = start;
  Velocity<RigidBody> v = start_velocity;
  for (int i = 0; i < 2000; ++i) runge_kutta(body, exact, v, 0.5 / 2000, force);
  const double coarse = apart(end(8), exact), fine = apart(end(16), exact);
  CHECK(fine > 1e-12);
  CHECK_AT_MOST(coarse / 14, fine, "error of half the step");
  CHECK_AT_MOST(1e-9, apart(end(400), exact), "limit");
}
