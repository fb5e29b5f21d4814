// Numbers with units, as people type them after an option: 168MHz, 64K, 20%.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lockstep::host {

struct Unit {
  std::string_view suffix;
  double factor = 1;
};

// A number above zero, alone or before one of the suffixes; of two that fit, the first counts.
std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units);

}  // namespace lockstep::host
