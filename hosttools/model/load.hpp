// From what a user says of a robot to a Tree.
#pragma once

#include <string>
#include <vector>

#include "model/reduce.hpp"
#include "urdf/read.hpp"

namespace lockstep::host {

struct LoadOptions {
  std::string file;
  ReadOptions read;
  ReduceOptions reduce;
  bool keep_rotors = false;  // as bodies
  bool quiet = false;        // no warnings, no notes
};

// On standard error, unless quiet.
void print_warnings(const LoadOptions& options, const std::vector<Finding>& warnings);

// Reads, reduces, and merges rotors unless they are to be kept; warnings go to standard error.
// Throws Error.
Tree load_tree(const LoadOptions& options);

}  // namespace lockstep::host
