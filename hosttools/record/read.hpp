// A record from the CSV file that it was written to.
#pragma once

#include <string>

#include "record/record.hpp"

namespace lockstep::host {

// The first column is the time, which does not fall; values may be nan and inf, as runs that ended
// badly have them. Throws Error.
Record read_record(const std::string& path);

}  // namespace lockstep::host
