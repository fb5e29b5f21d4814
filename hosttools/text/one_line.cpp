#include "text/one_line.hpp"

#include <algorithm>

#include "text/finding.hpp"

namespace lockstep::host {

std::string as_one_line(std::string_view text) {
  constexpr std::size_t kMost = 300;
  std::string line;
  while (!text.empty() && line.size() < kMost) {
    const std::size_t length = printable_length(text);
    const bool gap = length == 0 || text[0] == ' ';
    if (!gap) line += text.substr(0, length);
    if (gap && !line.empty() && line.back() != ' ') line += ' ';
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  while (line.ends_with(' ')) line.pop_back();
  return text.empty() ? line : line + " ...";
}

}  // namespace lockstep::host
