// The text of XML before a library sees it.
#pragma once

#include <string_view>

namespace lockstep::host {

// What begins with the '<' at `start`: an element's tag, a comment, CDATA, a declaration.
struct Markup {
  std::size_t end = std::string_view::npos;  // just past its '>'; npos: it never ends
  int attributes = 0;
};

// tinyxml2 compares each attribute with all before it.
inline constexpr int kMaxAttributes = 100;

Markup markup_at(std::string_view text, std::size_t start);

}  // namespace lockstep::host
