// The same robot for C: a header of functions over plain arrays and the one C++ source behind it.
// Bits are those of the C++ classes, which the source calls.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

struct CApiOptions {
  std::string struct_name;  // of the emitted model, and the prefix of what C sees
  std::string file;         // of the model without .hpp; these are beside it, .h and .cpp
  std::string source;       // base name of the file the robot was read from
  bool in_double = false;
};

// Throws Error: the functions know no loops and no couplings.
std::string emit_c_header(const Tree& tree, const CApiOptions& options);
std::string emit_c_source(const CApiOptions& options);

}  // namespace lockstep::host
