#include "text/xml.hpp"

namespace lockstep::host {

namespace {

std::size_t past(std::string_view text, std::size_t start, std::string_view terminator) {
  const std::size_t found = text.find(terminator, start);
  return found == text.npos ? text.npos : found + terminator.size();
}

// Attribute values may hold '>' too.
Markup tag_at(std::string_view text, std::size_t start) {
  Markup tag;
  char quote_mark = 0;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (quote_mark != 0) {
      if (c == quote_mark) quote_mark = 0;
    } else if (c == '"' || c == '\'') {
      quote_mark = c;
      ++tag.attributes;
    } else if (c == '>') {
      tag.end = i + 1;
      break;
    }
  }
  return tag;
}

}  // namespace

Markup markup_at(std::string_view text, std::size_t start) {
  const std::string_view rest = text.substr(start);
  if (rest.starts_with("<!--")) return {past(text, start + 4, "-->")};
  if (rest.starts_with("<![CDATA[")) return {past(text, start, "]]>")};
  if (rest.starts_with("<?")) return {past(text, start, "?>")};
  if (rest.starts_with("<!") || rest.starts_with("</")) return {past(text, start, ">")};
  return tag_at(text, start);
}

}  // namespace lockstep::host
