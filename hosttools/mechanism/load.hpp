// From the command line to a Mechanism, where the file is one.
#pragma once

#include "mechanism/read.hpp"
#include "model/load.hpp"

namespace lockstep::host {

inline bool is_mechanism(const LoadOptions& options) {
  return is_mechanism(options.file, options.read.limits);
}

// Warnings go to standard error. Throws Error.
Mechanism load_mechanism(const LoadOptions& options);

}  // namespace lockstep::host
