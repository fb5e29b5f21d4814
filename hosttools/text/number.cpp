#include "text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lockstep::host {

namespace {
constexpr std::string_view kSpace = " \t\r\n";
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = text.find_first_not_of(kSpace);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSpace, end);
  }
  return words;
}

std::optional<double> parse_number(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() != 1) return std::nullopt;
  std::string_view word = words.front();
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::string write_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string brief(double value, int digits) { return format("%.*g", digits, value); }

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace lockstep::host
