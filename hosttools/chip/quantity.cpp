#include "chip/quantity.hpp"

#include <cmath>

#include "text/number.hpp"

namespace lockstep::host {

std::optional<double> parse_quantity(std::string_view text, std::span<const Unit> units) {
  double factor = 1;
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.suffix)) continue;
    text.remove_suffix(unit.suffix.size());
    factor = unit.factor;
    break;
  }
  const std::optional<double> number = parse_number(text);
  if (!number || *number <= 0 || !std::isfinite(*number * factor)) return std::nullopt;
  return *number * factor;
}

}  // namespace lockstep::host
