// Everything `lockstep inspect` tells about a mechanism, for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

std::string to_text(const Mechanism& mechanism);
nlohmann::ordered_json to_json(const Mechanism& mechanism);

}  // namespace lockstep::host
