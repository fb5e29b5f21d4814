// The libraries that hold Lockstep as one compiler or another built it.
#pragma once

#include <string>
#include <vector>

#include "candidate.hpp"

namespace lockstep::bench {

// Loads it for as long as the program runs. Throws host::Error.
const Build* load_build(const std::string& file);

// "static clang"
std::string name_of(const char* model, const Build& build);

}  // namespace lockstep::bench
