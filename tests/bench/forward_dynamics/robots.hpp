// The robots of the benchmark by name, and what Lockstep makes of their URDFs.
#pragma once

#include <string>
#include <vector>

#include "candidate.hpp"
#include "model/tree.hpp"

namespace lockstep::bench {

// The robots of these names, or all. Throws host::Error.
std::vector<const Robot*> choose(const std::vector<std::string>& names);

// Without dampers and <mimic>, which no two peers treat alike. Throws host::Error.
host::Tree load(const Robot& robot);

}  // namespace lockstep::bench
