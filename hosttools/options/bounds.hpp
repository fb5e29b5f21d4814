// What a user says about that which bounds a robot's motion: limits, friction, ground, contacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/command.hpp"
#include "robot/bounds.hpp"

namespace lockstep::host {

struct BoundWords {
  std::vector<std::string> limits = {"urdf"};
  std::string friction = "urdf";
  std::string ground;  // empty: a plane under what floats and has shapes
  std::optional<double> ground_friction, ground_restitution, ground_stiffness, ground_damping;
  std::string contact_solver;  // empty: newton; of tied bodies pivoting
  int most_contacts = kHostContacts;
};

// `needed` is the option without which these do not act; none: nullptr.
void add_bound_options(Command& command, BoundWords& words, const char* needed = nullptr);

// `what` is position, effort or velocity. Throws Error.
bool wants_limit(const BoundWords& words, const std::string& what);

// `file` is the robot's. Throws Error.
Bounds make_bounds(const BoundWords& words, const std::string& file, const Tree& tree);

}  // namespace lockstep::host
