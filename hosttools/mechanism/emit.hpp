// Mechanism -> a static header: one struct of constexpr arrays that the solver of maximal
// coordinates takes as its model. The same mechanism and options give the same bytes.
#pragma once

#include <string>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

struct EmitMechanismOptions {
  std::string struct_name;
  std::string source;  // base name of the file it was read from
};

std::string emit_mechanism(const Mechanism& mechanism, const EmitMechanismOptions& options);

}  // namespace lockstep::host
