// What bounds the plant of a run, on the target and in its twin.
#pragma once

#include <string>

#include "lockstep/link/message.hpp"
#include "loop/bounds.hpp"
#include "options/bounds.hpp"

namespace lockstep::host::hil {

// Contacts at once unless the user says: on a chip each takes three rows of a square matrix.
inline constexpr int kUsualContacts = 16;

// What a user says before anything is said: only what is asked for acts on a tree.
BoundWords usual_words();

// A robot with loops or couplings, one that floats and has shapes, and one that is equipped with
// drivetrains or sensors is bounded as by `lockstep sim`, and so is any other where the user asks
// for it; the rest are trees. `file` is the robot's. Throws Error.
Bounds plant_bounds(const BoundWords& words, const std::string& file, const Tree& tree,
                    bool equipped = false);

// The same for a robot that is compiled in: what can act, and no more.
firmware::Bounds chip_bounds(const Bounds& all, const Tree& tree);
// As C++ for -DLOCKSTEP_BOUNDS, empty for none; and the ground.hpp that it speaks of.
std::string to_cpp(const firmware::Bounds& bounds);
std::string to_header(const firmware::Field& field);

// What of the robot and of the bounds, which a plant has, a model over the link does not tell an
// application: such as "loops and couplings". Empty if it tells all.
std::string untold(const Tree& tree, const firmware::Bounds& bounds, link::Application application);

}  // namespace lockstep::host::hil
