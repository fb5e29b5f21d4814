// Numbers as URDF means them: plain decimals, whatever the locale. Nothing is skipped or rounded
// to something else: "1.5kg", "1,5", "nan", "0x10" and "1e400" are no numbers.
#pragma once

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::host {

// Surrounding white space and a leading '+' are allowed.
std::optional<double> parse_number(std::string_view text);

// Cuts the first word off the text; empty if there is none. Words end at white space.
std::string_view take_word(std::string_view& text);

std::vector<std::string_view> words_of(std::string_view text);

// The words one after the other: "a, b, c".
template <class Words>
std::string listed(const Words& words, std::string_view between = ", ") {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

// As many words as a message bears, and how many more there are.
std::vector<std::string> first_of(std::vector<std::string> words, std::size_t most = 6);

// The shortest decimal that reads back as the same double.
std::string write_number(double value);

// With a few digits, for messages.
std::string brief(double value, int digits = 3);

// "1 body", "2 bodies"
std::string counted(std::size_t count, const char* one, const char* many);

// As printf writes it, 255 characters at most.
template <class... Args>
std::string format(const char* pattern, Args... args) {
  char buffer[256];
  const int length = std::snprintf(buffer, sizeof buffer, pattern, args...);
  return std::string(buffer, static_cast<std::size_t>(std::clamp(length, 0, 255)));
}

}  // namespace lockstep::host
