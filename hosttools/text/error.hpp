// The one way a host tool fails: a single line that names the file, the element and the remedy.
// main prints it as it is and exits with 1; nothing has been written by then.
#pragma once

#include <stdexcept>

namespace lockstep::host {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep::host
