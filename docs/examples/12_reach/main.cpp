// A tool goes along a straight line, its axes as they were: joint velocities from the Jacobian,
// with a little damping where the arm is stretched. Kinematics alone; nothing has a mass here.
#include <Eigen/Cholesky>
#include <cstdio>

#include "lockstep/kinematics.hpp"
#include "lockstep/solver.hpp"
#include "six_axis_arm.hpp"

constexpr auto kLift = lockstep::joint_index<six_axis_arm>("lift");
constexpr auto kElbow = lockstep::joint_index<six_axis_arm>("elbow");
constexpr auto kYaw = lockstep::joint_index<six_axis_arm>("wrist_yaw");
constexpr auto kTool = lockstep::link_frame<six_axis_arm>("tool");

int main() {
  using Arm = lockstep::Kinematics<six_axis_arm>;
  const Arm arm;
  auto state = lockstep::Solver<six_axis_arm>().make_input();
  state.q[kLift.q] = -1.0, state.q[kElbow.q] = 1.2, state.q[kYaw.q] = 0.8;
  Arm::Pose start, now;
  Arm::Jacobian J = arm.make_jacobian();
  if (arm.pose(state.q, kTool, start) != lockstep::Status::kOk) return 1;
  const Eigen::Vector3d way(0.1, 0.2, -0.1);  // m, in a second

  std::printf("time [s]");
  for (const auto name : six_axis_arm::kJointNames) std::printf(",q.%s [rad]", name.data());
  std::printf(",off [m]\n");
  for (int step = 0; step <= 1000; ++step) {
    const double time = 0.001 * step;
    if (arm.pose(state.q, kTool, now) != lockstep::Status::kOk) return 1;
    if (arm.jacobian(state.q, kTool, lockstep::Axes::kOfWorld, J) != lockstep::Status::kOk)
      return 1;
    const Eigen::Vector3d off = start.p_WL + time * way - now.p_WL;
    const Eigen::Matrix3d turned = start.R_WL * now.R_WL.transpose();
    Eigen::Matrix<double, 6, 1> twist;
    twist << way + 10 * off, 5 * (turned(2, 1) - turned(1, 2)), 5 * (turned(0, 2) - turned(2, 0)),
        5 * (turned(1, 0) - turned(0, 1));
    const Eigen::Matrix<double, 6, 6> A =
        J * J.transpose() + 1e-6 * Eigen::Matrix<double, 6, 6>::Identity();
    state.v = J.transpose() * A.llt().solve(twist);
    if (step % 10 == 0) {
      std::printf("%.3f", time);
      for (const double q : state.q) std::printf(",%.17g", q);
      std::printf(",%.3g\n", off.norm());
    }
    state.q += 0.001 * state.v;  // all six joints turn about an axis
  }
}
