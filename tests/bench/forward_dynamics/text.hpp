// Numbers as text, and tables that read well both as Markdown and on a terminal.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace lockstep::bench {

inline std::string number(double value, int decimals) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}

// The first row is the head; the first column is text, the others are numbers.
using Rows = std::vector<std::vector<std::string>>;
std::string markdown_table(const Rows& rows);

}  // namespace lockstep::bench
