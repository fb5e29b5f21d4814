#include "oracle/dense.hpp"

#include <algorithm>

#include "lockstep/body_data.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A force through `point` and a moment, as they load a body at its centre of mass.
void push(VectorXd& F, Index body, const WorldBody& placed, const Vector3d& force,
          const Vector3d& moment, const Vector3d& point) {
  F.segment<3>(6 * body) += force;
  F.segment<3>(6 * body + 3) += moment + (point - placed.com).cross(force);
}

struct Wrench {
  Vector3d force, moment;
};

// What motor, damper and spring do to the child, at its origin, in world axes.
Wrench actuation(const Body& body, const WorldBody& child, const DenseInput& in, const Counts& at) {
  const Index n = dof_count(body.joint);
  VectorXd sum = in.tau.segment(at.v, n) - body.damping * in.v.segment(at.v, n);
  if (body.stiffness != 0) sum[0] -= body.stiffness * (in.q[at.q] - body.rest);
  const Vector6d effort = spread(body.joint, sum);
  return {child.R_WB * effort.head<3>(), child.R_WB * effort.tail<3>()};
}

// The rows of one joint. With t an axis fixed in the parent, d from the anchor to the child's
// origin, and the parent's ' for P:
//   no slip along t:  t.d = 0        twice differentiated
//   no turn about t:  t.(w - w') = 0 once differentiated
struct JointRows {
  const WorldBody& parent;
  const WorldBody& child;
  Index child_index, parent_index;
  DenseSystem& system;

  void no_slip(Index row, const Vector3d& t) {
    const Vector3d arm = child.origin - child.com;
    const Vector3d parent_arm = child.anchor - parent.com;
    const Vector3d d = child.origin - child.anchor;
    const Vector3d d_rate = velocity_at(child, child.origin) - velocity_at(parent, child.anchor);
    const Vector3d t_rate = parent.omega.cross(t);
    system.J.block<1, 3>(row, 6 * child_index) = t.transpose();
    system.J.block<1, 3>(row, 6 * child_index + 3) = arm.cross(t).transpose();
    if (parent_index >= 0) {
      system.J.block<1, 3>(row, 6 * parent_index) = -t.transpose();
      system.J.block<1, 3>(row, 6 * parent_index + 3) = -(parent_arm + d).cross(t).transpose();
    }
    const Vector3d centripetal = child.omega.cross(child.omega.cross(arm)) -
                                 parent.omega.cross(parent.omega.cross(parent_arm));
    system.c[row] = t.dot(centripetal) + 2 * t_rate.dot(d_rate) + parent.omega.cross(t_rate).dot(d);
  }

  void no_turn(Index row, const Vector3d& t) {
    system.J.block<1, 3>(row, 6 * child_index + 3) = t.transpose();
    if (parent_index >= 0) system.J.block<1, 3>(row, 6 * parent_index + 3) = -t.transpose();
    system.c[row] = parent.omega.cross(t).dot(child.omega - parent.omega);
  }
};

// An armature A has the kinetic energy A qd^2 / 2: with qdd = J a + c for its joint, A J^T J beside
// M and A J^T c beside the forces.
void add_armature(const Body& body, const WorldBody& parent, const WorldBody& child, Index i,
                  DenseSystem& system) {
  DenseSystem one{
      .M = {}, .J = MatrixXd::Zero(1, system.M.cols()), .F = {}, .c = VectorXd::Zero(1)};
  JointRows joint{parent, child, i, body.parent, one};
  if (body.joint == JointType::kPrismatic) {
    joint.no_slip(0, child.R_WJ.col(2));
  } else {
    joint.no_turn(0, child.R_WJ.col(2));
  }
  system.M += body.armature * one.J.transpose() * one.J;
  system.F -= body.armature * one.c[0] * one.J.transpose();
}

struct DenseSolution {
  VectorXd acceleration, lambda;
};

// Refined with residuals in extended precision, so that the oracle's own rounding stays below that
// of what it judges.
DenseSolution solve_whole_system(const DenseSystem& system) {
  const Index bodies = system.M.rows(), rows = system.J.rows();
  const MatrixXd H = system.H();
  VectorXd r(bodies + rows);
  r << system.F, system.c;
  const Eigen::FullPivLU<MatrixXd> lu(H);
  VectorXd x = lu.solve(r);
  using VectorXl = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  VectorXl fine = x.cast<long double>();
  VectorXl residual(r.size());
  for (int pass = 0; pass < 3; ++pass) {
    for (Index i = 0; i < r.size(); ++i) {
      auto sum = static_cast<long double>(r[i]);
      for (Index j = 0; j < r.size(); ++j) sum -= static_cast<long double>(H(i, j)) * fine[j];
      residual[i] = sum;
    }
    if (pass < 2) fine += lu.solve(residual.cast<double>()).cast<long double>();
  }
  const double scale = std::max(1.0, r.lpNorm<Eigen::Infinity>());
  const double left = residual.cast<double>().lpNorm<Eigen::Infinity>();
  if (!fine.allFinite() || !(left < 1e-9 * scale)) {
    throw Error("the mass matrix is singular; give the moving links mass and inertia");
  }
  x = fine.cast<double>();
  return {x.head(bodies), x.tail(rows)};
}

DenseSolution solve_multipliers(const DenseSystem& system) {
  const Eigen::LLT<MatrixXd> mass(system.M);
  if (mass.info() != Eigen::Success) {
    throw Error("a body has no mass or inertia; equation (7) needs M^-1");
  }
  const VectorXd free = mass.solve(system.F);
  if (system.J.rows() == 0) return {free, VectorXd()};
  const MatrixXd M_inverse_Jt = mass.solve(system.J.transpose());
  const Eigen::LLT<MatrixXd> A(system.J * M_inverse_Jt);
  const VectorXd lambda = A.solve(-(system.J * free + system.c));
  return {free + M_inverse_Jt * lambda, lambda};
}

// Acceleration of the body's material point that is at `point` now; a is that of com.
Vector3d acceleration_at(const WorldBody& body, const Vector6d& a, const Vector3d& point) {
  const Vector3d arm = point - body.com;
  return a.head<3>() + a.tail<3>().cross(arm) + body.omega.cross(body.omega.cross(arm));
}

// How B's velocity relative to the parent changes, seen from B: the derivative of its components.
Vector6d relative_acceleration(const WorldBody& child, const Vector6d& a, const WorldBody& parent,
                               const Vector6d& a_parent) {
  const Vector3d d = child.origin - child.anchor;
  const Vector3d d_rate = velocity_at(child, child.origin) - velocity_at(parent, child.anchor);
  const Vector3d d_rate_rate =
      acceleration_at(child, a, child.origin) - acceleration_at(parent, a_parent, child.anchor);
  const Vector3d slip = d_rate - parent.omega.cross(d);
  const Vector3d slip_rate = d_rate_rate - a_parent.tail<3>().cross(d) - parent.omega.cross(d_rate);
  const Vector3d turn = child.omega - parent.omega;
  const Vector3d turn_rate = a.tail<3>() - a_parent.tail<3>();
  Vector6d change;
  change << child.R_WB.transpose() * (slip_rate - child.omega.cross(slip)),
      child.R_WB.transpose() * (turn_rate - child.omega.cross(turn));
  return change;
}

}  // namespace

MatrixXd DenseSystem::H() const {
  MatrixXd result = MatrixXd::Zero(M.rows() + J.rows(), M.rows() + J.rows());
  result.topLeftCorner(M.rows(), M.rows()) = M;
  result.topRightCorner(M.rows(), J.rows()) = -J.transpose();
  result.bottomLeftCorner(J.rows(), M.rows()) = -J;
  return result;
}

DenseSystem assemble(std::span<const Body> bodies, const std::vector<WorldBody>& placed,
                     const DenseInput& in) {
  const Index n = static_cast<Index>(bodies.size());
  const Index rows = 6 * n - total_dof(bodies);
  DenseSystem system{.M = MatrixXd::Zero(6 * n, 6 * n),
                     .J = MatrixXd::Zero(rows, 6 * n),
                     .F = VectorXd::Zero(6 * n),
                     .c = VectorXd::Zero(rows)};
  Index row = 0;
  Counts at;
  for (Index i = 0; i < n; ++i) {
    const Body& body = bodies[static_cast<std::size_t>(i)];
    const WorldBody& child = placed[static_cast<std::size_t>(i)];
    const WorldBody& parent = parent_of(body, placed);

    // newton and euler
    system.M.block<3, 3>(6 * i, 6 * i).diagonal().setConstant(child.mass);
    system.M.block<3, 3>(6 * i + 3, 6 * i + 3) = child.inertia;
    system.F.segment<3>(6 * i) += child.mass * in.gravity;
    system.F.segment<3>(6 * i + 3) -= child.omega.cross(child.inertia * child.omega);

    // outside wrench, and the joint's effort with its opposite on the parent
    const Matrix3d R_WL = link_axes(body, child);
    push(system.F, i, child, R_WL * in.external.col(i).head<3>(),
         R_WL * in.external.col(i).tail<3>(), child.origin);
    const Wrench effort = actuation(body, child, in, at);
    push(system.F, i, child, effort.force, effort.moment, child.origin);
    if (body.parent != kWorld) {
      push(system.F, body.parent, parent, -effort.force, -effort.moment, child.origin);
    }

    if (body.armature != 0) add_armature(body, parent, child, i, system);

    // a row for each direction that is not free
    JointRows joint{parent, child, i, body.parent, system};
    const auto free = free_axes(body.joint);
    for (int axis = 0; axis < 6; ++axis) {
      if (std::find(free.begin(), free.end(), axis) != free.end()) continue;
      if (axis < 3) {
        joint.no_slip(row++, child.R_WJ.col(axis));
      } else {
        joint.no_turn(row++, child.R_WJ.col(axis - 3));
      }
    }
    at.add(body.joint);
  }
  return system;
}

DenseOutput solve_dense(std::span<const Body> bodies, const DenseInput& in,
                        DenseEquation equation) {
  const auto placed = place_in_world(bodies, in.q, in.v);
  const DenseSystem system = assemble(bodies, placed, in);
  const DenseSolution solution = equation == DenseEquation::kWholeSystem
                                     ? solve_whole_system(system)
                                     : solve_multipliers(system);
  const Index n = static_cast<Index>(bodies.size());
  DenseOutput out{.vdot = VectorXd(in.v.size()), .reaction = Matrix6Xd(6, n)};
  Index row = 0;
  Counts at;
  for (Index i = 0; i < n; ++i) {
    const Body& body = bodies[static_cast<std::size_t>(i)];
    const WorldBody& child = placed[static_cast<std::size_t>(i)];
    const Vector6d a = solution.acceleration.segment<6>(6 * i);
    Vector6d a_parent = Vector6d::Zero();
    if (body.parent != kWorld) a_parent = solution.acceleration.segment<6>(6 * body.parent);
    const Vector6d change = relative_acceleration(child, a, parent_of(body, placed), a_parent);

    // the joint's wrench: its effort, less what an armature takes, and its rows, from the centre of
    // mass to the origin
    Wrench wrench = actuation(body, child, in, at);
    const Vector3d axis = child.R_WB.col(2);
    if (body.joint == JointType::kRevolute) wrench.moment -= body.armature * change[5] * axis;
    if (body.joint == JointType::kPrismatic) wrench.force -= body.armature * change[2] * axis;
    const Index m = multiplier_count(body.joint);
    const Vector6d held =
        system.J.block(row, 6 * i, m, 6).transpose() * solution.lambda.segment(row, m);
    wrench.force += held.head<3>();
    wrench.moment += held.tail<3>() + (child.com - child.origin).cross(held.head<3>());
    const Matrix3d R_LW = link_axes(body, child).transpose();
    out.reaction.col(i) << R_LW * wrench.force, R_LW * wrench.moment;

    Index at_v = at.v;
    for (const int free : free_axes(body.joint)) out.vdot[at_v++] = change[free];
    at.add(body.joint);
    row += m;
  }
  return out;
}

}  // namespace lockstep::host
