// A run as curves over time, written as SVG.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "plot/chart.hpp"

struct Recording {
  std::string title, unit;
  std::vector<lockstep::host::Curve> curves;

  Recording(std::string of, std::string y, const std::vector<std::string>& names)
      : title(std::move(of)), unit(std::move(y)) {
    for (const std::string& name : names) curves.push_back({.name = name, .x = {}, .y = {}});
  }
  void add(std::size_t curve, double time, double value) {
    curves[curve].x.push_back(time);
    curves[curve].y.push_back(value);
  }
  bool write(const char* file) const {
    std::ofstream out(file);
    out << lockstep::host::to_svg(
        {.title = title, .x = {.label = "time [s]"}, .y = {.label = unit}, .curves = curves});
    return out.good();
  }
};
