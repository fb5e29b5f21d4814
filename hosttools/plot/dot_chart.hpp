// A dot chart as SVG text: a row for every subject, on it a dot for every contestant and perhaps a
// mark to reach. The same numbers give the same bytes.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "plot/chart.hpp"

namespace lockstep::host {

struct DotRow {
  static constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

  std::string name;
  std::vector<double> values;  // in the order of the contestants; kNothing leaves a dot out
  double mark = kNothing;
};

struct DotChart {
  std::string title;
  Axis x;
  std::vector<std::string> contestants;
  std::vector<DotRow> rows;
  std::string mark;  // its name; empty: no row has one
};

std::string to_svg(const DotChart& chart);

}  // namespace lockstep::host
