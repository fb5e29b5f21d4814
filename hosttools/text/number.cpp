#include "text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lockstep::host {

namespace {
constexpr std::string_view kSpace = " \t\r\n";
}

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kSpace));
  text.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) words.push_back(word);
  return words;
}

std::optional<double> parse_number(std::string_view text) {
  std::string_view word = take_word(text);
  if (!take_word(text).empty()) return std::nullopt;
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string> first_of(std::vector<std::string> words, std::size_t most) {
  if (words.size() <= most) return words;
  const std::size_t others = words.size() - most;
  words.resize(most);
  words.push_back("and " + std::to_string(others) + " more");
  return words;
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
