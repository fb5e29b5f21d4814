#include <algorithm>

#include "urdf/xacro.hpp"

namespace lockstep::host {

int first_macro(std::string_view text) {
  constexpr std::string_view kComment = "<!--", kMacro = "<xacro:";
  // a file may have no macros but values such as ${pi / 2} and $(arg side)
  const bool declared = text.find("xmlns:xacro") != text.npos;
  for (std::size_t at = text.find_first_of("<$"); at != text.npos;
       at = text.find_first_of("<$", at + 1)) {
    const std::string_view rest = text.substr(at);
    const bool value = declared && (rest.starts_with("${") || rest.starts_with("$("));
    if (value || rest.starts_with(kMacro)) {
      return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
    }
    if (!rest.starts_with(kComment)) continue;
    at = text.find("-->", at);
    if (at == text.npos) break;
  }
  return 0;
}

}  // namespace lockstep::host
