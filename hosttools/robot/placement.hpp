// Where a robot starts.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "model/tree.hpp"
#include "robot/ground.hpp"

namespace lockstep::host {

// The word for --start that means the zero pose, whatever the limits say.
inline constexpr const char* kZero = "zero";

// The pose that a robot starts in unless the user says another: zero, or the nearest one within the
// joints' limits in which loops and couplings hold; `note` then tells of it.
struct UsualStart {
  Eigen::VectorXd q;
  std::string note;
};
// `file` is the robot's. Throws Error.
UsualStart usual_start(const std::string& file, const Tree& tree);

// Whether a joint with one degree of freedom is beyond its limits.
bool is_outside(const Tree& tree, const Eigen::VectorXd& q);

// Throws Error if nothing can move: no joint does, and the base is fixed.
void require_motion(const std::string& file, const Tree& tree);

// Lifts or lowers what floats until the lowest point is `drop` above the ground; without a drop it
// stands there, if anything can. `file` is the robot's. Throws Error.
void place_on_ground(const std::string& file, const std::optional<double>& drop,
                     const Bounds& bounds, const Tree& tree, Eigen::VectorXd& q);

// Throws Error where loops or couplings are open at q, which `start` told if it is no empty name: a
// robot that falls apart at the first step moves nowhere.
void require_closed(const std::string& file, const std::string& start, const Tree& tree,
                    const Eigen::VectorXd& q);

}  // namespace lockstep::host
