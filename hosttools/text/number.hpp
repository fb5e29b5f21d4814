// Numbers as URDF means them: plain decimals, whatever the locale. Nothing is skipped or rounded
// to something else: "1.5kg", "1,5", "nan", "0x10" and "1e400" are no numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::host {

// Surrounding white space and a leading '+' are allowed.
std::optional<double> parse_number(std::string_view text);

// Splits at white space.
std::vector<std::string_view> words_of(std::string_view text);

// The shortest decimal that reads back as the same double.
std::string write_number(double value);

// Three digits, for messages.
std::string brief(double value);

// "1 body", "2 bodies"
std::string counted(std::size_t count, const char* one, const char* many);

}  // namespace lockstep::host
