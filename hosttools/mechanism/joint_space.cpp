#include "mechanism/joint_space.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lockstep/body_data.hpp"

namespace lockstep::host {

namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Placed {
  Matrix3d R = Matrix3d::Identity();   // R_WB
  Vector3d centre = Vector3d::Zero();  // of mass
  Vector3d origin = Vector3d::Zero();  // of B
};
struct Motion {
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();  // of the centre of mass, angular
};

// A body and, at the end, the world.
Placed place(const Tree& tree, const Eigen::VectorXd& x, int body) {
  if (body == kWorld) return {};
  const Index at = 7 * body;
  const Body& own = tree.bodies[static_cast<std::size_t>(body)];
  const Eigen::Quaterniond q(x[at + 6], x[at + 3], x[at + 4], x[at + 5]);
  const Vector3d h(own.h.data());
  Placed placed = {q.toRotationMatrix(), x.segment<3>(at), {}};
  placed.origin = placed.centre - placed.R * (h / own.mass);
  return placed;
}

Motion motion(const Eigen::VectorXd& v, int body) {
  if (body == kWorld) return {};
  return {v.segment<3>(6 * body), v.segment<3>(6 * body + 3)};
}

Matrix3d rows(const std::array<double, 9>& R) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R.data());
}

double nearest_angle(double angle, double near) {
  const double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

// J, the joint's frame in the parent, at its place in the world.
Placed joint_frame(const Body& body, const Placed& parent) {
  Placed J;
  J.R = parent.R * rows(body.R_PJ);
  J.origin = parent.origin + parent.R * Vector3d(body.p_PJ.data());
  return J;
}

// The motion of B past the parent's material, at B's origin.
Vector6d relative(const Placed& B, const Motion& own, const Placed& P, const Motion& carrier) {
  Vector6d u;
  u << own.v + own.w.cross(B.origin - B.centre) - carrier.v - carrier.w.cross(B.origin - P.centre),
      own.w - carrier.w;
  return u;
}

// f(body index, where its coordinates begin in q, in v)
template <class F>
void for_joints(const Tree& tree, F&& f) {
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    f(static_cast<int>(i), tree.bodies[i], at.q, at.v);
    at.add(tree.bodies[i].joint);
  }
}

// Components along B's axes that the joint leaves free.
void put_free(JointType joint, const Matrix3d& R, const Vector6d& u, Index at,
              Eigen::VectorXd& values) {
  Vector6d own;
  own << R.transpose() * u.head<3>(), R.transpose() * u.tail<3>();
  for (const int axis : free_axes(joint)) values[at++] = own[axis];
}

void put_configuration(JointType joint, const Placed& J, const Placed& B,
                       const Eigen::VectorXd& near, Index at, Eigen::VectorXd& q) {
  const Matrix3d R = J.R.transpose() * B.R;
  const Vector3d p = J.R.transpose() * (B.origin - J.origin);
  const auto angle = [&](Index i) {
    return nearest_angle(std::atan2(R(1, 0), R(0, 0)), near.size() == 0 ? 0 : near[i]);
  };
  const auto put_quaternion = [&](Index i) {
    const Eigen::Quaterniond turn(R);
    q.segment<4>(i) = turn.coeffs();  // x y z w
  };
  switch (joint) {
    case JointType::kRevolute: q[at] = angle(at); break;
    case JointType::kPrismatic: q[at] = p.z(); break;
    case JointType::kBall: put_quaternion(at); break;
    case JointType::kPlanar: q.segment<3>(at) << p.x(), p.y(), angle(at + 2); break;
    case JointType::kFloating:
      q.segment<3>(at) = p;
      put_quaternion(at + 3);
      break;
  }
}

}  // namespace

JointMotion joint_motion(const Tree& tree, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& near) {
  JointMotion joints = {Eigen::VectorXd(total_config(tree.bodies)),
                        Eigen::VectorXd(total_dof(tree.bodies))};
  for_joints(tree, [&](int i, const Body& body, int at_q, int at_v) {
    const Placed P = place(tree, x, body.parent), B = place(tree, x, i);
    put_configuration(body.joint, joint_frame(body, P), B, near, at_q, joints.q);
    put_free(body.joint, B.R, relative(B, motion(v, i), P, motion(v, body.parent)), at_v, joints.v);
  });
  return joints;
}

Eigen::VectorXd joint_accelerations(const Tree& tree, const Eigen::VectorXd& x,
                                    const Eigen::VectorXd& v, const Eigen::VectorXd& vdot) {
  Eigen::VectorXd rates(total_dof(tree.bodies));
  for_joints(tree, [&](int i, const Body& body, int, int at) {
    const Placed P = place(tree, x, body.parent), B = place(tree, x, i);
    const Motion own = motion(v, i), carrier = motion(v, body.parent);
    const Motion own_rate = motion(vdot, i), carrier_rate = motion(vdot, body.parent);
    const Vector6d u = relative(B, own, P, carrier);
    // rates of u while B's axes and both lever arms turn
    Vector6d rate = relative(B, own_rate, P, carrier_rate);
    const Vector3d arm = B.origin - B.centre;
    const Vector3d v_origin = own.v + own.w.cross(arm);
    rate.head<3>() += own.w.cross(own.w.cross(arm)) - carrier.w.cross(v_origin - carrier.v);
    rate.head<3>() -= own.w.cross(u.head<3>());
    rate.tail<3>() -= own.w.cross(u.tail<3>());
    put_free(body.joint, B.R, rate, at, rates);
  });
  return rates;
}

Eigen::VectorXd passive_torque(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               Passive passive) {
  Eigen::VectorXd torque(v.size());
  for_joints(tree, [&](int, const Body& body, int at_q, int at) {
    const int dofs = dof_count(body.joint);
    const bool is_row = passive == Passive::kRows && dofs == 1;
    torque.segment(at, dofs) = -(is_row ? 0.0 : body.damping) * v.segment(at, dofs);
    if (body.stiffness != 0 && !is_row) torque[at] -= body.stiffness * (q[at_q] - body.rest);
  });
  return torque;
}

Eigen::VectorXd passive_values(const Tree& tree, const Mechanism& mechanism,
                               const Eigen::VectorXd& q) {
  const std::vector<int> joints = passive_joints(tree);
  if (joints.empty()) return {};
  std::size_t rows = 0, constraint = 0;
  for (const auto& record : mechanism.constraints) rows += record.joins ? 0 : row_count(record);
  Eigen::VectorXd values = Eigen::VectorXd::Zero(static_cast<Index>(rows));
  Index row = 0;
  for (const Body& body : tree.bodies) {
    if (body.joint == JointType::kFloating) continue;
    row += static_cast<Index>(row_count(mechanism.constraints[constraint++]));
  }
  for_joints(tree, [&](int i, const Body& body, int at_q, int) {
    if (std::ranges::find(joints, i) != joints.end()) values[row++] = q[at_q] - body.rest;
  });
  return values;
}

Eigen::VectorXd body_forces(const Tree& tree, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& tau) {
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(6 * static_cast<Index>(tree.bodies.size()));
  for_joints(tree, [&](int i, const Body& body, int, int at) {
    const Placed B = place(tree, x, i);
    const Vector6d own = spread(body.joint, tau.segment(at, dof_count(body.joint)));
    const Vector3d force = B.R * own.head<3>(), moment = B.R * own.tail<3>();
    const auto add = [&](int to, const Vector3d& centre, double sign) {
      forces.segment<3>(6 * to) += sign * force;
      forces.segment<3>(6 * to + 3) += sign * (moment + (B.origin - centre).cross(force));
    };
    add(i, B.centre, 1);
    if (body.parent != kWorld) add(body.parent, place(tree, x, body.parent).centre, -1);
  });
  return forces;
}

Matrix6Xd to_links(const Tree& tree, const Eigen::VectorXd& x, const Matrix6Xd& at_centres) {
  Matrix6Xd at_links = at_centres;
  for (Index i = 0; i < at_links.cols(); ++i) {
    const Placed B = place(tree, x, static_cast<int>(i));
    const Matrix3d R_WL = B.R * rows(tree.bodies[static_cast<std::size_t>(i)].R_LB).transpose();
    const Vector3d force = at_centres.col(i).head<3>(), moment = at_centres.col(i).tail<3>();
    at_links.col(i) << R_WL.transpose() * force,
        R_WL.transpose() * (moment + (B.centre - B.origin).cross(force));
  }
  return at_links;
}

Matrix6Xd to_centres(const Tree& tree, const Eigen::VectorXd& x, const Matrix6Xd& at_links) {
  Matrix6Xd at_centres = at_links;
  for (Index i = 0; i < at_centres.cols(); ++i) {
    const Placed B = place(tree, x, static_cast<int>(i));
    const Matrix3d R_WL = B.R * rows(tree.bodies[static_cast<std::size_t>(i)].R_LB).transpose();
    const Vector3d force = R_WL * at_links.col(i).head<3>();
    at_centres.col(i) << force,
        R_WL * at_links.col(i).tail<3>() + (B.origin - B.centre).cross(force);
  }
  return at_centres;
}

}  // namespace lockstep::host
