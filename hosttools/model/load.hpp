// From what a user says of a robot to a Tree.
#pragma once

#include <functional>
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
  // Where warnings go, line by line; empty: standard error.
  std::function<void(const std::string&)> tell = {};
};

// Unless quiet.
void print_warnings(const LoadOptions& options, const std::vector<Finding>& warnings);

// Both tell warnings. Throw Error.
Description read_description(const LoadOptions& options);
Tree reduce_description(const LoadOptions& options, const Description& description);

// Reads, reduces, and merges rotors unless they are to be kept; tells warnings. Throws Error.
Tree load_tree(const LoadOptions& options);

}  // namespace lockstep::host
