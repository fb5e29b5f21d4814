// Random robots with rotors: any axis, several behind one joint, ratios of either sign and size,
// the rotor before or after its joint in the coupling, with and without mass.
#pragma once

#include "model/tree.hpp"
#include "support/random_tree.hpp"

namespace lockstep::test {

// A random tree with a rotor behind its revolute and prismatic joints, round or of any shape, the
// latter also sliding instead of turning.
host::Tree geared_tree(const TreeOptions& options, bool round = true);

// A state in which the couplings hold, velocities too; everything is at work.
host::DenseInput geared_state(const host::Tree& tree, Random& random);

}  // namespace lockstep::test
