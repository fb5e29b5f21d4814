// States in JSON files, numbers by joint: {"q": {"elbow": 0.5}, "v": {"elbow": -1}}. A joint with
// several coordinates has an array. A start may leave out what is zero; a saved state holds every
// bit, and tells the model, the scalar and the time step that it belongs to.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "lockstep/hash.hpp"
#include "model/tree.hpp"
#include "robot/kept_forces.hpp"

namespace lockstep::host {

// All that the future depends on. A float's value is held exactly.
struct SimState {
  std::uint64_t step = 0;
  std::uint64_t hash = Hash().value();  // over every q and v since step 0
  Eigen::VectorXd q, v;
  Eigen::VectorXd held;         // q at step 0
  std::vector<KeptForce> kept;  // of Gauss-Seidel
};

// At rest in the zero pose.
SimState rest_state(const Tree& tree);

// Quaternions get length one. Throws Error that names the file, the key and the remedy.
SimState read_start(const std::string& path, const Tree& tree);

// Those of a pose get length one. `path` opens the message of one that has none. Throws Error.
void normalize_quaternions(const std::string& path, const Tree& tree, Eigen::VectorXd& q);

// What read_start reads, in the pose q and at rest.
std::string start_text(const Eigen::VectorXd& q, const Tree& tree);

struct SavedState {
  SimState state;
  double dt = 0;
};

std::string saved_text(const SavedState& saved, const Tree& tree, const std::string& scalar);

// Throws Error if it is of another model or scalar, or is not whole.
SavedState read_saved(const std::string& path, const Tree& tree, const std::string& scalar);

}  // namespace lockstep::host
