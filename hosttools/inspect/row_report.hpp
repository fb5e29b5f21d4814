// The worst case of rows as `lockstep inspect` tells it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "inspect/row_bounds.hpp"

namespace lockstep::host {

struct RowReport {
  RowBounds bounds;
  std::optional<long long> line;  // operations of the closed straight line, around its system
};

// Nothing for a robot without rows.
std::optional<RowReport> make_row_report(const Tree& tree);

std::string to_text(const RowReport& report);
nlohmann::ordered_json to_json(const RowReport& report);

}  // namespace lockstep::host
