// Fields of a line of comma-separated values (RFC 4180): what could be taken for more than one
// field stands in quotes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::host {

std::string csv_field(const std::string& text);

// None if a quote is not closed, or is followed by anything but a comma.
std::optional<std::vector<std::string>> csv_fields(std::string_view line);

}  // namespace lockstep::host
