#include "text.hpp"

#include <algorithm>

namespace lockstep::bench {

std::string markdown_table(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 3);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string padding(widths[i] - rows[r][i].size(), ' ');
      text += "| " + (i == 0 ? rows[r][i] + padding : padding + rows[r][i]) + " ";
    }
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      text += (i == 0 ? "|:" : "|-") + std::string(widths[i], '-') + (i == 0 ? "-" : ":");
    }
    text += "|\n";
  }
  return text;
}

}  // namespace lockstep::bench
