// Frames, gaps and Jacobians of a mechanism at its initial state.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

// Where each body's numbers begin.
struct Offsets {
  explicit Offsets(const Mechanism& mechanism);
  std::vector<std::size_t> pose, velocity;  // one more than bodies: the end
};

// A frame fixed to a body, or to the world (kWorld), at the initial state.
struct HeldFrame {
  maximal::FrameMotion<double> frame;
  Eigen::Matrix<double, 6, Eigen::Dynamic> J;  // its twist from the body's velocities
  Spatial<double> bias;  // its acceleration while the velocities do not change
};
HeldFrame hold(const Mechanism& mechanism, const Offsets& offsets, int body,
               const Placement<double>& X);

// The way back: the frame in the body that is now at X_WF.
Placement<double> in_body(const Mechanism& mechanism, const Offsets& offsets, int body,
                          const Placement<double>& X_WF);

struct ConstraintState {
  HeldFrame a, b;
  Eigen::VectorXd value;           // phi
  Eigen::VectorXd velocity_error;  // J v + phi_t
  Eigen::VectorXd c;               // J vdot + c = 0
  Eigen::MatrixXd J_A, J_B;
  Eigen::MatrixXd rows_A, rows_B;  // over the twists of the frames
};
ConstraintState evaluate(const Mechanism& mechanism, const Offsets& offsets, std::size_t constraint,
                         double time = 0);

// Of rows, constraint after constraint, over all velocities. Those that yield take no freedom.
enum class Which { kAll, kHolding };
Eigen::SparseMatrix<double> jacobian(const Mechanism& mechanism,
                                     const std::vector<ConstraintState>& states,
                                     Which which = Which::kAll);

// Rows that may depend on each other. A body with no more rows than velocities, all clearly
// independent there, keeps its rows out of every sum and is taken away with them, until no such
// body is left: of a tree of joints nothing remains. Linear time.
std::vector<int> entangled_rows(const Offsets& offsets, const Eigen::SparseMatrix<double>& J);

// The rows that depend on rows before them. The time grows with the third power of those that are
// entangled, so more than kMostRankRows are not looked at: none is found.
inline constexpr Eigen::Index kMostRankRows = 1500;
std::vector<int> dependent_rows(const Offsets& offsets, const Eigen::SparseMatrix<double>& J);

}  // namespace lockstep::host
