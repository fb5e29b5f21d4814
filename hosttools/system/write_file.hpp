// Output that is whole or not there at all.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::host {

// Writes a file beside its target and renames it into place; "-" is standard output, and what is
// no regular file (a pipe, /dev/null) is written to directly. Throws Error; nothing is left behind.
void write_file(const std::string& path, std::string_view text);

}  // namespace lockstep::host
