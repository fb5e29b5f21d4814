// Shapes, and which of them may meet, as `lockstep inspect` tells them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// Empty where there are none.
std::string colliders_text(const Tree& tree);

// {"shapes": [], "pairs": [], "most_contacts": 0}
nlohmann::ordered_json colliders_json(const Tree& tree);

}  // namespace lockstep::host
