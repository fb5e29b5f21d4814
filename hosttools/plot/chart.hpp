// A line chart as SVG text: a few named curves over one x axis, each axis linear or logarithmic.
// The same numbers give the same bytes.
#pragma once

#include <string>
#include <vector>

namespace lockstep::host {

struct Curve {
  std::string name;
  std::vector<double> x, y;
  bool markers = false;  // a dot on every point
};

struct Axis {
  std::string label;
  bool logarithmic = false;
};

struct Chart {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

std::string to_svg(const Chart& chart);

}  // namespace lockstep::host
