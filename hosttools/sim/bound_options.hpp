// What a user says about that which bounds a robot's motion: limits, friction, ground, contacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/bounds.hpp"

namespace CLI {
class App;
}

namespace lockstep::host::sim {

struct BoundWords {
  std::vector<std::string> limits = {"urdf"};
  std::string friction = "urdf";
  std::string ground;  // empty: a plane under what floats and has shapes
  std::optional<double> ground_friction, ground_restitution;
  std::string contact_solver = "pivoting";
  int most_contacts = BoundOptions().most_contacts;
};

void add_bound_options(CLI::App& command, BoundWords& words);

// `what` is position, effort or velocity. Throws Error.
bool wants_limit(const BoundWords& words, const std::string& what);

// `file` is the robot's. Throws Error.
BoundOptions make_bounds(const BoundWords& words, const std::string& file, const Tree& tree);

}  // namespace lockstep::host::sim
