#pragma once

#include <string>
#include <string_view>

namespace lockstep::host {

// Another program's or library's words as one line, printable and not too long.
std::string as_one_line(std::string_view text);

}  // namespace lockstep::host
