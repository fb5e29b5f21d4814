// The scripts and sources that some commands work with.
#pragma once

#include <filesystem>
#include <string>

namespace lockstep::host {

// Beside the program where it is installed, or in the tree it was built from; `name` is a path in
// that tree. Throws Error when both are gone.
std::filesystem::path shared_file(const std::string& name);

}  // namespace lockstep::host
