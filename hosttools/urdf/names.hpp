// Names that elements of a file give themselves and each other.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/finding.hpp"
#include "text/suggest.hpp"

namespace lockstep::host {

// Name -> index of the first that has it; the others are errors.
template <class Item>
std::unordered_map<std::string_view, std::size_t> index_names(const std::vector<Item>& items,
                                                              const char* kind,
                                                              Findings& findings) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [first, is_new] = index.emplace(items[i].name, i);
    if (is_new || items[i].name.empty()) continue;
    findings.error(items[i].line, "duplicate-name",
                   kind + (" " + quote(items[i].name)) + ": the name is taken in line " +
                       std::to_string(items[first->second].line),
                   "rename one of the two");
  }
  return index;
}

// Guesses cost time, and after ten the pattern is clear.
inline constexpr int kMaxGuesses = 10;

template <class Item>
std::string_view nearest_name(std::string_view name, const std::vector<Item>& items) {
  std::vector<std::string_view> candidates;
  for (const Item& item : items) candidates.push_back(item.name);
  return nearest_word(name, candidates);
}

}  // namespace lockstep::host
