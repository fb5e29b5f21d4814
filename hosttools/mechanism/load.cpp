#include "mechanism/load.hpp"

namespace lockstep::host {

Mechanism load_mechanism(const LoadOptions& options) {
  std::vector<Finding> warnings;
  Mechanism mechanism = read_mechanism(options.file, options.read.limits, warnings);
  print_warnings(options, warnings);
  return mechanism;
}

}  // namespace lockstep::host
