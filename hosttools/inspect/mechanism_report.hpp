// Everything `lockstep inspect` tells about a mechanism, for people and for machines.
#pragma once

#include <string>

#include "mechanism/mechanism.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

std::string to_text(const Mechanism& mechanism);
Json to_json(const Mechanism& mechanism);

}  // namespace lockstep::host
