// Forward dynamics of an arm whose URDF the build turned into six_axis_arm.hpp.
#include <cstdio>

#include "lockstep/solver.hpp"
#include "six_axis_arm.hpp"

int main() {
  lockstep::Solver<six_axis_arm> solver;  // the workspace is inside: no heap, now or later
  auto in = solver.make_input();          // at rest, gravity on
  auto out = solver.make_output();
  in.q << 0.0, -1.0, 1.2, 0.0, 0.8, 0.0;
  in.v << 0.5, 0.0, 0.0, 0.0, 0.0, 1.0;
  in.tau << 0.0, -40.0, 10.0, 0.0, 0.0, 0.0;

  const lockstep::Status status = solver.forward_dynamics(in, out);
  if (status != lockstep::Status::kOk) {
    std::printf("%s\n", lockstep::to_string(status));
    return 1;
  }

  std::printf("%-12s %10s %12s %29s %31s\n", "joint", "tau [N m]", "vdot [1/s^2]",
              "force on the child link [N]", "moment [N m]");
  for (int i = 0; i < 6; ++i) {
    const auto f = out.reaction.col(i);
    std::printf("%-12s %10.3f %12.4f   %8.3f %8.3f %8.3f   %9.4f %9.4f %9.4f\n",
                six_axis_arm::kJointNames[static_cast<std::size_t>(i)].data(), in.tau[i],
                out.vdot[i], f[0], f[1], f[2], f[3], f[4], f[5]);
  }
}
