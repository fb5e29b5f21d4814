#include "emit/cpp_text.hpp"

#include <algorithm>

#include "text/number.hpp"

namespace lockstep::host {

namespace {

bool is_printable(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace

std::string number(double value) {
  std::string result = write_number(value);
  // without this a long whole number would be an integer literal that no integer type holds
  constexpr std::size_t kDigitsOfAnInt = 9;
  if (result.size() > kDigitsOfAnInt && result.find_first_of(".e") == std::string::npos) {
    result += ".0";
  }
  return result;
}

// Octal escapes end after three digits; hexadecimal ones would swallow what follows. Two question
// marks could begin a trigraph.
std::string cpp_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    if (is_printable(c)) {
      result += c;
      continue;
    }
    result += '\\';
    for (const int shift : {6, 3, 0}) result += static_cast<char>('0' + (byte >> shift & 7u));
  }
  return result + '"';
}

// A backslash at the end of a line, or the trigraph for one, would swallow the next line.
std::string commented(std::string_view text) {
  std::string result(text);
  const auto is_unfit = [](char c) { return !is_printable(c) || c == '\\' || c == '?'; };
  std::ranges::replace_if(result, is_unfit, '_');
  return result;
}

std::string braced(const std::vector<std::string>& items, std::size_t indent) {
  std::string result = "{", line;
  const std::string wrap = ",\n" + std::string(indent + 1, ' ');
  for (const std::string& item : items) {
    if (!line.empty() && indent + line.size() + item.size() + 5 > kColumns) {
      result += line + wrap;
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + item;
  }
  return result + line + "}";
}

std::string braced_rows(const std::vector<std::string>& items, std::size_t indent,
                        std::size_t per_line) {
  std::string result = "{";
  const std::string wrap = ",\n" + std::string(indent + 1, ' ');
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) result += i % per_line == 0 ? wrap : ", ";
    result += items[i];
  }
  return result + "}";
}

std::string braced_line(const std::vector<std::string>& items) {
  return braced_rows(items, 0, items.size() + 1);
}

}  // namespace lockstep::host
