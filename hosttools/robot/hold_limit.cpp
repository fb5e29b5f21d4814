#include "robot/hold_limit.hpp"

#include <memory>

#include "model/rotor_map.hpp"
#include "robot/robot.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

// Of the velocities of all joints by those that are left; none of a floating base.
Eigen::MatrixXd held_motion(const RobotTrees& robot, const RotorMap& map) {
  const int dofs = total_dof(robot.computed.bodies);
  Eigen::MatrixXd W(total_dof(robot.whole.bodies), dofs);
  for (int i = 0; i < dofs; ++i) W.col(i) = map.whole_v(Eigen::VectorXd::Unit(dofs, i));
  Counts at;
  for (const Body& body : robot.whole.bodies) {
    const int own = dof_count(body.joint);
    if (body.joint == JointType::kFloating) W.middleRows(at.v, own).setZero();
    at.add(body.joint);
  }
  return W;
}

}  // namespace

std::optional<std::string> shaking(const RobotTrees& robot, const Eigen::VectorXd& q,
                                   const Hold& gains, double dt) {
  const RotorMap map(robot.whole, robot.computed);
  const Eigen::MatrixXd W = held_motion(robot, map);
  if (is_closed(robot.computed) || W.size() == 0) return std::nullopt;
  // how the joints accelerate under a unit torque at each
  const auto run = std::make_unique<HostRobot<double>>(robot.computed);
  run->in.q = map.merged_q(q);
  run->in.gravity.setZero();
  Eigen::MatrixXd response(W.rows(), W.rows());
  for (Eigen::Index i = 0; i < W.rows(); ++i) {
    run->in.tau = W.row(i);
    if (run->solver.forward_dynamics(run->in, run->out) != Status::kOk) return std::nullopt;
    response.col(i) = W * run->out.vdot;
  }
  // the mode that answers most, by powers: a thousand find its size to 1 %, and take less than the
  // compiler would for Eigen's solver
  Eigen::VectorXd mode = response.diagonal().normalized();
  for (int i = 0; i < 1000; ++i) mode = (response * mode).normalized();
  const double inertia = 1 / mode.dot(response * mode);
  if (!(dt * (2 * gains.kd + dt * gains.kp) >= 4 * inertia)) return std::nullopt;
  Eigen::Index dof = 0;
  mode.cwiseAbs().maxCoeff(&dof);
  std::string joint;
  Counts at;
  for (std::size_t i = 0; i < robot.whole.bodies.size(); ++i) {
    if (at.v <= dof) joint = robot.whole.joint_names[i];
    at.add(robot.whole.bodies[i].joint);
  }
  const double most = 2 * inertia / dt - 0.5 * dt * gains.kp;
  return "--hold may shake joint " + quote(joint) + ", which moves " + brief(inertia) +
         " kg m^2 or kg: torques last a step of " + brief(dt) + " s; give " +
         (most > 0 ? "a kd below " + brief(most) : "smaller gains") + ", or a shorter step";
}

}  // namespace lockstep::host
