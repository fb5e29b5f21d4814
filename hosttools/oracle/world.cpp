#include "oracle/world.hpp"

#include <array>
#include <cmath>

namespace lockstep::host {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Matrix3d turn_about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return Matrix3d{{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
}

Matrix3d rotation_of(const Eigen::Ref<const Eigen::VectorXd>& xyzw) {
  return Eigen::Quaterniond(xyzw[3], xyzw[0], xyzw[1], xyzw[2]).normalized().toRotationMatrix();
}

struct AcrossJoint {
  Matrix3d R_JB = Matrix3d::Identity();
  Vector3d p_JB = Vector3d::Zero();
};

AcrossJoint joint_placement(JointType joint, const Eigen::Ref<const Eigen::VectorXd>& q) {
  switch (joint) {
    case JointType::kRevolute: return {.R_JB = turn_about_z(q[0])};
    case JointType::kPrismatic: return {.p_JB = {0, 0, q[0]}};
    case JointType::kBall: return {.R_JB = rotation_of(q)};
    case JointType::kPlanar: return {.R_JB = turn_about_z(q[2]), .p_JB = {q[0], q[1], 0}};
    case JointType::kFloating: return {.R_JB = rotation_of(q.tail(4)), .p_JB = q.head(3)};
  }
  return {};
}

// steiner's theorem takes the inertia from B's origin to the centre of mass
void weigh(const Body& body, WorldBody& placed) {
  const auto& I = body.inertia;
  Matrix3d about_origin{{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  placed.mass = body.mass;
  placed.com = placed.origin;
  if (body.mass > 0) {
    const Vector3d c = Vector3d(body.h.data()) / body.mass;
    about_origin -= body.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    placed.com += placed.R_WB * c;
  }
  placed.inertia = placed.R_WB * about_origin * placed.R_WB.transpose();
}

}  // namespace

std::span<const int> free_axes(JointType joint) {
  static constexpr std::array<int, 1> kTurn = {5}, kSlide = {2};
  static constexpr std::array<int, 3> kAllTurns = {3, 4, 5}, kPlane = {0, 1, 5};
  static constexpr std::array<int, 6> kAll = {0, 1, 2, 3, 4, 5};
  switch (joint) {
    case JointType::kRevolute: return kTurn;
    case JointType::kPrismatic: return kSlide;
    case JointType::kBall: return kAllTurns;
    case JointType::kPlanar: return kPlane;
    case JointType::kFloating: return kAll;
  }
  return {};
}

Vector6d spread(JointType joint, const Eigen::Ref<const Eigen::VectorXd>& coordinates) {
  Vector6d all = Vector6d::Zero();
  Eigen::Index i = 0;
  for (const int axis : free_axes(joint)) all[axis] = coordinates[i++];
  return all;
}

Vector3d velocity_at(const WorldBody& body, const Vector3d& point) {
  return body.velocity + body.omega.cross(point - body.com);
}

Matrix3d link_axes(const Body& body, const WorldBody& placed) {
  return placed.R_WB * Eigen::Map<const RowMajor3d>(body.R_LB.data()).transpose();
}

const WorldBody& parent_of(const Body& body, const std::vector<WorldBody>& placed) {
  static const WorldBody kGround;
  return body.parent == kWorld ? kGround : placed[at(body.parent)];
}

std::vector<WorldBody> place_in_world(std::span<const Body> bodies, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& v) {
  std::vector<WorldBody> placed;
  placed.reserve(bodies.size());
  Eigen::Index at_q = 0, at_v = 0;
  for (const Body& body : bodies) {
    const WorldBody& parent = parent_of(body, placed);
    const AcrossJoint joint =
        joint_placement(body.joint, q.segment(at_q, config_count(body.joint)));
    const Vector6d rate = spread(body.joint, v.segment(at_v, dof_count(body.joint)));
    at_q += config_count(body.joint);
    at_v += dof_count(body.joint);

    WorldBody child;
    child.anchor = parent.origin + parent.R_WB * Vector3d(body.p_PJ.data());
    child.R_WJ = parent.R_WB * Eigen::Map<const RowMajor3d>(body.R_PJ.data());
    child.origin = child.anchor + child.R_WJ * joint.p_JB;
    child.R_WB = child.R_WJ * joint.R_JB;
    weigh(body, child);

    // the joint's own motion rides on the parent's
    child.omega = parent.omega + child.R_WB * rate.tail<3>();
    child.velocity = velocity_at(parent, child.origin) + child.R_WB * rate.head<3>() +
                     child.omega.cross(child.com - child.origin);
    placed.push_back(child);
  }
  return placed;
}

int total_config(std::span<const Body> bodies) {
  int sum = 0;
  for (const Body& body : bodies) sum += config_count(body.joint);
  return sum;
}

int total_dof(std::span<const Body> bodies) {
  int sum = 0;
  for (const Body& body : bodies) sum += dof_count(body.joint);
  return sum;
}

DenseInput rest(std::span<const Body> bodies) {
  DenseInput in;
  in.q = Eigen::VectorXd::Zero(total_config(bodies));
  in.v = in.tau = Eigen::VectorXd::Zero(total_dof(bodies));
  in.external = Matrix6Xd::Zero(6, static_cast<Eigen::Index>(bodies.size()));
  Eigen::Index end = 0;
  for (const Body& body : bodies) {
    end += config_count(body.joint);
    if (body.joint == JointType::kBall || body.joint == JointType::kFloating) in.q[end - 1] = 1;
  }
  return in;
}

}  // namespace lockstep::host
