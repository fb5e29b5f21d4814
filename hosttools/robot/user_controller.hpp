// A controller of the user's own: a program that speaks lines over its standard input and output,
// in lockstep with the run, or a function of a shared library. docs/controllers.md.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

class UserController {
 public:
  virtual ~UserController() = default;

  // The torques from a state on: finite, one for each velocity. Throws Error.
  virtual Eigen::VectorXd torques(std::uint64_t step, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v) = 0;
};

struct ControllerWords {
  std::string command;   // a program with its arguments, or a path that ends in .so; empty: none
  double patience = 10;  // s, for each answer of a program
};

// `tree` is the robot with all its joints, dt the time between two calls. Throws Error.
std::unique_ptr<UserController> start_controller(const ControllerWords& words, const Tree& tree,
                                                 double dt);

}  // namespace lockstep::host
