// Loops, couplings, merged rotors and shapes as `lockstep inspect` tells them.
#pragma once

#include <string>

#include "model/tree.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

// Empty where there are none.
std::string rotors_text(const Tree& tree);
std::string loops_text(const Tree& tree);
std::string colliders_text(const Tree& tree);

Json rotors_json(const Tree& tree);
Json loops_json(const Tree& tree);
Json couplings_json(const Tree& tree);
// {"shapes": [], "pairs": [], "most_contacts": 0}
Json colliders_json(const Tree& tree);

}  // namespace lockstep::host
