// Line charts as SVG text: a few named curves over one x axis, each axis linear or logarithmic.
// The same numbers give the same bytes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::host {

struct Curve {
  std::string name;
  std::vector<double> x, y;
  bool markers = false;  // a dot on every point
  // The curve of the same chart that is to follow this one, which is dashed in the same colour.
  std::optional<std::size_t> reference_of = {};
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

// One above the other, each with its own y axis and legend, over the x axis of the first.
std::string to_svg(const std::string& title, std::span<const Chart> panels);

}  // namespace lockstep::host
