// Bodies for the tests, each made of point masses whose places are written once more with Eigen:
// masses, energies, forces and frames are sums and differences over these points.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "lockstep/maximal/particle.hpp"
#include "lockstep/maximal/planar_body.hpp"
#include "lockstep/maximal/rigid_body.hpp"
#include "lockstep/maximal/scaling_body.hpp"
#include "lockstep/maximal/stretching_body.hpp"
#include "support/random.hpp"

namespace lockstep::test {

using Particle = maximal::Particle<double>;
using PlanarBody = maximal::PlanarBody<double>;
using RigidBody = maximal::RigidBody<double>;
using ScalingBody = maximal::ScalingBody<double>;
using StretchingBody = maximal::StretchingBody<double>;

struct PointMass {
  double mass;
  Eigen::Vector3d r;
};

inline Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Vec3<double> vec3(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
inline Mat3<double> mat3(const Eigen::Matrix3d& M) {
  return {vec3(M.col(0)), vec3(M.col(1)), vec3(M.col(2))};
}
inline Eigen::Quaterniond eigen(const std::array<double, 4>& q) {
  return Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
}
inline Placement<double> placement(const Eigen::Isometry3d& X) {
  return {mat3(X.linear()), vec3(X.translation())};
}
inline Eigen::Isometry3d random_placement(Random& random) {
  return Eigen::Translation3d(random.vector(0.5)) * random.rotation();
}

// The rate of f, to the fourth order.
template <class F>
auto rate_of(F&& f) {
  constexpr double h = 5e-4;
  return ((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)).eval();
}

// Where the body is and how it is deformed.
struct Shape3 {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Quaterniond R = Eigen::Quaterniond::Identity();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();

  Eigen::Vector3d point(const Eigen::Vector3d& r) const { return p + R * scale.cwiseProduct(r); }
};

// The shape after a time t of constant velocity.
template <class B>
Shape3 shape(const typename B::Pose& pose, const maximal::Vector<double, B::kDimension>& velocity,
             double t) {
  Shape3 result;
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  if constexpr (std::is_same_v<B, PlanarBody>) {
    result.p << pose.x + t * velocity[0], pose.y + t * velocity[1], 0;
    result.R = Eigen::AngleAxisd(pose.angle + t * velocity[2], Eigen::Vector3d::UnitZ());
    return result;
  } else {
    result.p = eigen(pose.p) + t * Eigen::Vector3d(velocity[0], velocity[1], velocity[2]);
    if constexpr (B::kDimension >= 6) {
      w << velocity[3], velocity[4], velocity[5];
      result.R = Eigen::AngleAxisd(t * w.norm(), w.stableNormalized()) * eigen(pose.q);
    }
    if constexpr (B::kDimension == 7) result.scale.setConstant(pose.scale + t * velocity[6]);
    if constexpr (B::kDimension == 9) {
      result.scale = eigen(pose.scale) + t * Eigen::Vector3d(velocity[6], velocity[7], velocity[8]);
    }
    return result;
  }
}

template <class B>
typename B::Pose random_pose(Random& random) {
  if constexpr (std::is_same_v<B, PlanarBody>) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3)};
  } else {
    typename B::Pose pose;
    pose.p = vec3(random.vector(1));
    if constexpr (B::kDimension >= 6) {
      const Eigen::Quaterniond q = random.rotation();
      pose.q = {q.x(), q.y(), q.z(), q.w()};
    }
    if constexpr (B::kDimension == 7) pose.scale = random.uniform(0.5, 2);
    if constexpr (B::kDimension == 9) {
      pose.scale = vec3(Eigen::Vector3d::Constant(1.2) + random.vector(0.7));
    }
    return pose;
  }
}

template <class B>
maximal::Vector<double, B::kDimension> random_velocity(Random& random) {
  maximal::Vector<double, B::kDimension> velocity;
  for (double& v : velocity) v = random.uniform(-1, 1);
  return velocity;
}

// Masses about their common centre; in the plane for a planar body.
template <class B>
std::vector<PointMass> random_cloud(Random& random) {
  std::vector<PointMass> cloud(std::is_same_v<B, Particle> ? 1 : 7);
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  double mass = 0;
  for (PointMass& point : cloud) {
    point = {random.uniform(0.1, 1), random.vector(1)};
    if constexpr (std::is_same_v<B, PlanarBody>) point.r.z() = 0;
    moment += point.mass * point.r;
    mass += point.mass;
  }
  for (PointMass& point : cloud) point.r -= moment / mass;
  return cloud;
}

template <class B>
B body_of(const std::vector<PointMass>& cloud) {
  double mass = 0;
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  for (const auto& [m, r] : cloud) {
    mass += m;
    I += m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  if constexpr (std::is_same_v<B, Particle>)
    return {mass};
  else if constexpr (std::is_same_v<B, PlanarBody>)
    return {mass, I(2, 2)};
  else
    return {mass, {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}};
}

template <class Test>
void for_all_bodies(Test&& test) {
  test.template operator()<Particle>();
  test.template operator()<PlanarBody>();
  test.template operator()<RigidBody>();
  test.template operator()<ScalingBody>();
  test.template operator()<StretchingBody>();
}

}  // namespace lockstep::test
