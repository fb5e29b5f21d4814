// Numbers as text within a page: little-endian and in base64, as hosttools/view/decode.js reads
// them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep::host {

std::string base64(std::string_view bytes);
std::string base64_doubles(std::span<const double> values);
std::string base64_floats(std::span<const float> values);

}  // namespace lockstep::host
