// Names that elements of a file give themselves and each other.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/finding.hpp"
#include "text/suggest.hpp"
#include "urdf/draft.hpp"

namespace lockstep::host {

template <class Item>
class Names {
 public:
  // Of items with one name the first has it; the others are errors. `kind` is their element.
  Names(const std::vector<Item>& items, const std::string& kind, Findings& findings)
      : items_(items), kind_(kind) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto [first, is_new] = index_.emplace(items[i].name, i);
      if (is_new || items[i].name.empty()) continue;
      findings.error(items[i].line, "duplicate-name",
                     kind + " " + quote(items[i].name) + ": the name is taken in line " +
                         std::to_string(items[first->second].line),
                     "rename one of the two");
    }
  }

  bool contains(std::string_view name) const { return index_.contains(name); }
  std::size_t at(std::string_view name) const { return index_.at(name); }

  // False, and an error, where what is referred to does not exist.
  bool check(const std::string& owner, const Reference& to, Findings& findings) {
    if (to.line == 0 || contains(to.name)) return true;
    std::vector<std::string_view> known;
    // guesses cost time, and after ten the pattern is clear
    if (++unknown_ <= 10) {
      for (const Item& item : items_) known.push_back(item.name);
    }
    const std::string_view near = nearest_word(to.name, known);
    findings.error(to.line, ("unknown-" + kind_).c_str(),
                   owner + ": " + kind_ + " " + quote(to.name) + " does not exist",
                   near.empty() ? "add the <" + kind_ + "> or correct the name"
                                : "did you mean " + quote(near) + "?");
    return false;
  }

 private:
  const std::vector<Item>& items_;
  std::string kind_;
  std::unordered_map<std::string_view, std::size_t> index_;
  int unknown_ = 0;
};

}  // namespace lockstep::host
