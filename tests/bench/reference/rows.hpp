// Loops and couplings as rows over MuJoCo's velocities: phi = 0, G qvel = 0, G qacc + bias = 0.
// Jacobians are MuJoCo's; the bias comes from its accelerations of bodies at qacc = 0.
#pragma once

#include "mujoco.hpp"

namespace reference {

struct Rows {
  Eigen::VectorXd phi, bias;
  Eigen::MatrixXd G;
};

// At the state that was set.
Rows rows_of(const MuJoCo& robot);

// Axes at right angles may also be turned by half a turn: whether none is.
bool upright(const MuJoCo& robot);

// Singular vectors of G: those of rank span what rows settle, the others what they leave free.
struct Split {
  Eigen::MatrixXd free;     // columns
  Eigen::MatrixXd inverse;  // Moore-Penrose
  int rank = 0;
};
Split split_of(const Eigen::MatrixXd& G);

}  // namespace reference
