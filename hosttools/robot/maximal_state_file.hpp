// States in maximal coordinates in JSON files, numbers by body: {"x": {"bob": [0, 0, -1]},
// "v": {"bob": [1, 0, 0]}}. A start may leave out bodies, which stay as the mechanism has them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "lockstep/hash.hpp"
#include "mechanism/mechanism.hpp"
#include "robot/kept_forces.hpp"
#include "robot/saved_head.hpp"

namespace lockstep::host {

// All that the future depends on. A float's value is held exactly.
struct MaximalState {
  std::uint64_t step = 0;
  std::uint64_t hash = Hash().value();  // over every x and v since step 0
  Eigen::VectorXd x, v;
  // joint coordinates that a robot holds on to; of a mechanism SoftMotion::values()
  Eigen::VectorXd held;
  double dt = 0.001;            // s
  std::vector<KeptForce> kept;  // of what touches, where the next step starts from them
};

// As the mechanism's file has it.
MaximalState initial_state(const Mechanism& mechanism);

// Throws Error that names the file, the key and the remedy.
MaximalState read_start(const std::string& path, const Mechanism& mechanism);

// `own` tells what the state belongs to.
std::string saved_text(const MaximalState& state, const Mechanism& mechanism, SavedHead own);
// Into a state that holds as many. Throws Error if it is of something else, or is not whole.
void read_saved(const std::string& path, const Mechanism& mechanism, const SavedHead& own,
                MaximalState& state);

}  // namespace lockstep::host
