// Finds a pose in which the loops and couplings of a robot hold.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "model/tree.hpp"

namespace lockstep::host {

// How far a row may be from zero: in a file's own digits, and in an assembled pose.
inline constexpr double kClosed = 1e-6;
inline constexpr double kAssembled = 1e-10;

// Rows times degrees of freedom, the size of the dense J: beyond it nobody wants to wait.
inline constexpr long kMostEntries = 40000;
bool is_too_large(const Tree& tree);

// Whether all rows hold, and none with an axis reversed.
bool holds(const Tree& tree, const Eigen::VectorXd& q, double tolerance);

// By damped Gauss-Newton steps within the joints' limits: from the zero pose, then from poses
// farther and farther away, the same ones each time.
std::optional<Eigen::VectorXd> assemble(const Tree& tree);

// The pose nearest to zero within the joints' limits, if loops and couplings hold there, or one
// that is assembled: zero itself wherever it can be.
std::optional<Eigen::VectorXd> nearest_pose(const Tree& tree);

// A pose that is assembled from anywhere but the zero pose, which may be a special one.
std::optional<Eigen::VectorXd> assemble_elsewhere(const Tree& tree);

}  // namespace lockstep::host
