#pragma once

#include <iomanip>
#include <sstream>
#include <string>

namespace lockstep::host {

// With as many digits as a summary needs.
inline std::string short_number(double value, int digits = 6) {
  std::ostringstream text;
  text << std::setprecision(digits) << value;
  return text.str();
}

}  // namespace lockstep::host
