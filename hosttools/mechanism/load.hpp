// From the command line to a Mechanism, where the file is one.
#pragma once

#include "mechanism/read.hpp"
#include "model/load.hpp"

namespace lockstep::host {

inline bool is_mechanism(const LoadOptions& options) {
  return is_mechanism(options.file, options.read.limits);
}

// Warnings go to standard error. Throws Error.
inline Mechanism load_mechanism(const LoadOptions& options) {
  std::vector<Finding> warnings;
  Mechanism mechanism = read_mechanism(options.file, options.read.limits, warnings);
  print_warnings(options, warnings);
  return mechanism;
}

}  // namespace lockstep::host
