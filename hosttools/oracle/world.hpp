// Where the bodies are and how they move, in world axes at the centres of mass: the ground on which
// the dense oracle and the energies stand. Shares no algebra with the core: points, lever arms and
// cross products instead of spatial transforms in link frames.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "lockstep/model.hpp"

namespace lockstep::host {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

// What drives a mechanism: the inputs of forward dynamics. A wrench is a force, then a moment about
// the origin of the body's URDF link frame L, in L's axes.
struct DenseInput {
  Eigen::VectorXd q;
  Eigen::VectorXd v;
  Eigen::VectorXd tau;
  Matrix6Xd external;  // a column per body
  Eigen::Vector3d gravity = {0, 0, -9.81};
};

// All zero but the quaternions, which are the identity.
DenseInput rest(std::span<const Body> bodies);

// A joint's free directions, as indices into (linear x y z, angular x y z) along the axes of B.
std::span<const int> free_axes(JointType joint);

// Spreads a joint's coordinates (velocities or efforts) over those six directions.
Vector6d spread(JointType joint, const Eigen::Ref<const Eigen::VectorXd>& coordinates);

struct WorldBody {
  Eigen::Matrix3d R_WB = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d R_WJ = Eigen::Matrix3d::Identity();  // the joint's axes, fixed in the parent
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    // of B
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();    // of J, fixed in the parent
  Eigen::Vector3d com = Eigen::Vector3d::Zero();       // B's origin where there is no mass
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // of com
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();
  double mass = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about com
};

// Velocity of the body's material point that is at `point` now.
Eigen::Vector3d velocity_at(const WorldBody& body, const Eigen::Vector3d& point);

// R_WL: the axes of the body's URDF link frame.
Eigen::Matrix3d link_axes(const Body& body, const WorldBody& placed);

std::vector<WorldBody> place_in_world(std::span<const Body> bodies, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& v);

// The world itself, at rest, for the bodies that hang on it.
const WorldBody& parent_of(const Body& body, const std::vector<WorldBody>& placed);

int total_config(std::span<const Body> bodies);
int total_dof(std::span<const Body> bodies);

}  // namespace lockstep::host
