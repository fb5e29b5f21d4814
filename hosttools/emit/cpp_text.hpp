// The smallest pieces of C++ that an emitted header is made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::host {

inline constexpr std::size_t kColumns = 100;

// The shortest literal that reads back to the same double.
std::string number(double value);

// A string literal in ASCII, whatever the text holds.
std::string cpp_quoted(std::string_view text);

// The text made fit for a // comment: on one line, in ASCII.
std::string commented(std::string_view text);

// {a, b, c} that starts after `indent` columns and is wrapped at kColumns.
std::string braced(const std::vector<std::string>& items, std::size_t indent);

// The same with a fixed number of items a line.
std::string braced_rows(const std::vector<std::string>& items, std::size_t indent,
                        std::size_t per_line);
std::string braced_line(const std::vector<std::string>& items);

}  // namespace lockstep::host
