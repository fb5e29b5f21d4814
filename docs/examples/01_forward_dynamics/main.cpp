// Forward dynamics of an arm whose URDF the build turned into six_axis_arm.hpp.
#include <cstdio>

#include "lockstep/solver.hpp"
#include "six_axis_arm.hpp"

// Where the joints' numbers are in q, v and tau; a name that the URDF does not have does not
// compile.
constexpr auto kPan = lockstep::joint_index<six_axis_arm>("pan");
constexpr auto kLift = lockstep::joint_index<six_axis_arm>("lift");
constexpr auto kElbow = lockstep::joint_index<six_axis_arm>("elbow");
constexpr auto kYaw = lockstep::joint_index<six_axis_arm>("wrist_yaw");

int main() {
  lockstep::Solver<six_axis_arm> solver;  // the workspace is inside: no heap, now or later
  auto in = solver.make_input();          // at rest, gravity on
  auto out = solver.make_output();
  in.q[kLift.q] = -1.0, in.q[kElbow.q] = 1.2, in.q[kYaw.q] = 0.8;
  in.v[kPan.v] = 0.5;
  in.tau[kLift.v] = -40.0, in.tau[kElbow.v] = 10.0;

  const lockstep::Status status = solver.forward_dynamics(in, out);
  if (status != lockstep::Status::kOk) {
    std::printf("%s\n", lockstep::to_string(status));
    return 1;
  }

  std::printf("%-12s %10s %12s %29s %31s\n", "joint", "tau [N m]", "vdot [1/s^2]",
              "force on the child link [N]", "moment [N m]");
  for (std::size_t i = 0; i < six_axis_arm::kJoints.size(); ++i) {
    const lockstep::JointIndex joint = six_axis_arm::kJoints[i];
    const auto f = out.reaction.col(joint.body);  // at the link's origin, in the link's axes
    std::printf("%-12s %10.3f %12.4f   %8.3f %8.3f %8.3f   %9.4f %9.4f %9.4f\n",
                six_axis_arm::kJointNames[i].data(), in.tau[joint.v], out.vdot[joint.v], f[0], f[1],
                f[2], f[3], f[4], f[5]);
  }
}
