// What a robot costs on a chip, for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "inspect/chip.hpp"

namespace lockstep::host {

std::string to_text(const ChipCost& cost, std::size_t bodies);
nlohmann::ordered_json to_json(const ChipCost& cost);

}  // namespace lockstep::host
