#include "plot/dot_chart.hpp"

#include <algorithm>

#include "plot/svg.hpp"

namespace lockstep::host {

namespace {

std::string draw_dot(double x, double y, const std::string& colour) {
  return format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x, y, colour.c_str());
}

std::string draw_mark(double x, double y) {
  return format("<path stroke=\"#222\" stroke-width=\"2\" d=\"M%.1f %.1fv16\"/>\n", x, y - 8);
}

}  // namespace

std::string to_svg(const DotChart& chart) {
  constexpr double kChartWidth = 780, kRow = 24;
  // around the plot; legend right
  constexpr double kPlotLeft = 130, kLegendWidth = 140, kPlotTop = 48, kBelow = 54;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const DotRow& row : chart.rows) {
    std::vector<double> values = row.values;
    values.push_back(row.mark);
    for (const double value : values) {
      if (can_show(chart.x, value)) low = std::min(low, value), high = std::max(high, value);
    }
  }
  if (!(low <= high)) low = 1, high = 10;  // nothing to show: an empty frame

  const double right = kChartWidth - kLegendWidth;
  const double bottom = kPlotTop + kRow * static_cast<double>(chart.rows.size());
  const Scale x(chart.x, low, high, kPlotLeft, right);
  std::string svg = svg_open(kChartWidth, bottom + kBelow);
  svg += svg_text((kPlotLeft + right) / 2, 26, "middle", chart.title, " font-size=\"15\"");
  svg += svg_x_ticks(x, kPlotTop, bottom);
  svg += svg_text((kPlotLeft + right) / 2, bottom + 40, "middle", chart.x.label);

  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const DotRow& row = chart.rows[i];
    const double y = kPlotTop + kRow * (static_cast<double>(i) + 0.5);
    svg += svg_text(kPlotLeft - 10, y + 4, "end", row.name);
    svg += format("<path stroke=\"#eee\" d=\"M%.1f %.1fH%.1f\"/>\n", kPlotLeft, y, right);
    for (std::size_t k = 0; k < std::min(row.values.size(), chart.contestants.size()); ++k) {
      if (can_show(chart.x, row.values[k])) {
        svg += draw_dot(x.pixel(row.values[k]), y, svg_colour(k));
      }
    }
    if (can_show(chart.x, row.mark)) svg += draw_mark(x.pixel(row.mark), y);
  }

  double y = kPlotTop + 12;
  for (std::size_t k = 0; k < chart.contestants.size(); ++k, y += 20) {
    svg += draw_dot(right + 22, y, svg_colour(k));
    svg += svg_text(right + 34, y + 4, "start", chart.contestants[k]);
  }
  if (!chart.mark.empty()) {
    svg += draw_mark(right + 22, y) + svg_text(right + 34, y + 4, "start", chart.mark);
  }
  return svg + "</svg>\n";
}

}  // namespace lockstep::host
