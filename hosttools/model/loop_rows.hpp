// Loops and couplings as rows over the joints, dense: how far a pose is from them, and how that
// changes with the joints' velocities. For checks on the host; solvers have their own.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

const char* loop_name(int type);  // as files write it

int loop_row_count(const maximal::ConstraintRecord& loop);
int row_count(const Tree& tree);  // of all loops, then one for each coupling

// Whether a loop or coupling yields, the robot without those that do, and what their springs hold.
bool has_soft_rows(const Tree& tree);
Tree without_soft_rows(Tree tree);
double soft_row_energy(const Tree& tree, const Eigen::VectorXd& q);  // J

struct LoopRows {
  Eigen::VectorXd value;
  Eigen::MatrixXd J;              // d value/dt = J v
  std::vector<bool> is_length;    // m; else an angle's sine, or a coupling's coordinate
  std::vector<bool> turned_over;  // of each loop: its rows hold, or nearly, with an axis reversed
};

LoopRows evaluate_rows(const Tree& tree, const Eigen::VectorXd& q);

}  // namespace lockstep::host
