// Everything `lockstep inspect` tells about a robot, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/straight_line.hpp"
#include "inspect/chip_report.hpp"
#include "inspect/draw.hpp"
#include "inspect/operations.hpp"
#include "inspect/row_bounds.hpp"
#include "model/sizes.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

// The worst case of rows.
struct RowReport {
  RowBounds bounds;
  std::optional<long long> line;  // operations of the closed straight line, around its system
};

// Nothing for a robot without rows.
std::optional<RowReport> make_row_report(const Tree& tree);

std::string to_text(const RowReport& report);
Json to_json(const RowReport& report);

struct Report {
  Tree tree;
  std::vector<Node> forward;
  OperationCount operations;                  // of the core's passes
  std::optional<StraightLine> straight_line;  // the robot's own, where `compile` writes one
  std::optional<RowReport> rows;              // where it has any
  Sizes in_float, in_double;
  std::optional<ChipReport> chip;  // measured, if asked for
};

Report make_report(Tree tree);

std::string to_text(const Report& report, Charset charset);
Json to_json(const Report& report);

}  // namespace lockstep::host
