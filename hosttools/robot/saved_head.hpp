// The head that every saved state has.
#pragma once

#include <cstdint>
#include <string>

#include "system/json_file.hpp"

namespace lockstep::host {

// What a saved state belongs to, and how far it is.
struct SavedHead {
  std::string owner;  // "robot": for messages
  std::uint64_t model = 0;
  std::string scalar;
  double dt = 0;
  std::uint64_t step = 0, hash = 0;
};

Json to_json(const SavedHead& head);

// Throws Error if it is of another model or scalar than `own` has.
SavedHead read_head(const JsonFields& fields, const std::string& path, const SavedHead& own);

}  // namespace lockstep::host
