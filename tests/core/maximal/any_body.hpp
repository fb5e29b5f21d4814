// A body of any type, decided at run time and padded to nine velocities, so that a constraint is
// tested over every pair of types; and the comparison of its J and c with finite differences.
#pragma once

#include <CppUTest/TestHarness.h>

#include <Eigen/Core>
#include <functional>
#include <variant>

#include "core/maximal/bodies.hpp"
#include "lockstep/constraint/constraint.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

struct AnyBody {
  using Scalar = double;
  static constexpr int kDimension = 9;
  using Velocity = maximal::Vector<double, 9>;
  using World = maximal::World<double>;
  using Bodies = std::variant<World, Particle, PlanarBody, RigidBody, ScalingBody, StretchingBody>;
  using Pose = std::variant<World::Pose, Particle::Pose, PlanarBody::Pose, RigidBody::Pose,
                            ScalingBody::Pose, StretchingBody::Pose>;
  static constexpr int kTypes = 6;

  Bodies body;

  maximal::FrameKinematics<double, 9> kinematics(const Pose& pose, const Velocity& v,
                                                 const Placement<double>& X) const;
  Pose moved(const Pose& pose, const Velocity& v, double t) const;
};

// Blocks of any size.
struct AnyBlocks {
  Eigen::VectorXd value, velocity_error, c;
  Eigen::MatrixXd J_A, J_B;
};

// A pair of bodies under a constraint, at a moment.
struct Scene {
  using Velocity = AnyBody::Velocity;

  AnyBody A, B;
  AnyBody::Pose pose_A, pose_B;
  Velocity v_A, v_B;
  Placement<double> X_A, X_B;
  double time;
  std::function<AnyBlocks(const AnyBody::Pose&, const Velocity&, const AnyBody::Pose&,
                          const Velocity&, double)>
      evaluate;

  // Everything as it is a time t later at constant velocities, the clock running or not.
  AnyBlocks after(double t, const Velocity& u_A, const Velocity& u_B, double clock = 1) const {
    return evaluate(A.moved(pose_A, u_A, t), u_A, B.moved(pose_B, u_B, t), u_B, time + clock * t);
  }
  AnyBlocks now() const { return after(0, v_A, v_B); }
};

template <std::size_t kSize>
Eigen::VectorXd vector(const std::array<double, kSize>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), kSize);
}

// Bodies of these types (0 is the world) at random, their frames too.
Scene random_bodies(int type_A, int type_B, Random& random);

template <class C>
Scene random_scene(const C& constraint, int type_A, int type_B, Random& random) {
  static_assert(maximal::FrameConstraint<C>);
  Scene scene = random_bodies(type_A, type_B, random);
  const maximal::Between<C> between = {scene.X_A, scene.X_B, constraint};
  scene.evaluate = [between, A = scene.A, B = scene.B](const auto& pose_A, const auto& v_A,
                                                       const auto& pose_B, const auto& v_B,
                                                       double time) {
    const auto blocks = between.evaluate(A, pose_A, v_A, B, pose_B, v_B, time);
    AnyBlocks result = {vector(blocks.value), vector(blocks.velocity_error), vector(blocks.c),
                        Eigen::MatrixXd(C::kDimension, 9), Eigen::MatrixXd(C::kDimension, 9)};
    for (int i = 0; i < C::kDimension; ++i) {
      result.J_A.row(i) = vector(blocks.J_A[maximal::at(i)]);
      result.J_B.row(i) = vector(blocks.J_B[maximal::at(i)]);
    }
    return result;
  };
  return scene;
}

// velocity_error is affine in the velocities with slope J, and c is its rate at constant ones.
void check_velocity_level(const Scene& scene, const char* where);

// J is the derivative of the value, column by column, and the velocity error its rate.
void check_position_level(const Scene& scene, const char* where);

// Every pair of body types, the world among them.
template <class Check>
void for_all_pairs(Check&& check) {
  for (int a = 0; a < AnyBody::kTypes; ++a) {
    for (int b = 0; b < AnyBody::kTypes; ++b) {
      if (a + b > 0) check(a, b);
    }
  }
}

template <class C>
void check_holonomic(const C& constraint, const char* where) {
  Random random(C::kDimension);
  for_all_pairs([&](int a, int b) {
    const Scene scene = random_scene(constraint, a, b, random);
    check_position_level(scene, where);
    check_velocity_level(scene, where);
  });
}

// The value of a constraint between two frames at rest in the world.
template <class C>
Eigen::VectorXd value_between(const C& constraint, const Eigen::Isometry3d& X_A,
                              const Eigen::Isometry3d& X_B, double time = 0) {
  const Placement<double> A = placement(X_A), B = placement(X_B);
  const maximal::FrameMotion<double> a{A.p, A.R, {}, {}}, b{B.p, B.R, {}, {}};
  return vector(constraint.rows(a, b, time).value);
}

}  // namespace lockstep::test
