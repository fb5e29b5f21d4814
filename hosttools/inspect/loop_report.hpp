// Loops, couplings, merged rotors and shapes as `lockstep inspect` tells them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// Empty where there are none.
std::string rotors_text(const Tree& tree);
std::string loops_text(const Tree& tree);
std::string colliders_text(const Tree& tree);

nlohmann::ordered_json rotors_json(const Tree& tree);
nlohmann::ordered_json loops_json(const Tree& tree);
nlohmann::ordered_json couplings_json(const Tree& tree);
// {"shapes": [], "pairs": [], "most_contacts": 0}
nlohmann::ordered_json colliders_json(const Tree& tree);

}  // namespace lockstep::host
