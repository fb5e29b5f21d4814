// Which names an emitted struct may have.
#pragma once

#include <string>

namespace lockstep::host {

// The struct's name unless the user gives one: the robot's name with what C++ does not allow in an
// identifier replaced, and "_model" behind it.
std::string default_struct_name(const std::string& robot);

// Why the struct cannot have this name, or an empty string.
std::string why_not_struct_name(const std::string& name);

}  // namespace lockstep::host
