#include "plot/chart.hpp"

#include <algorithm>
#include <limits>

#include "plot/svg.hpp"

namespace lockstep::host {

namespace {

constexpr double kWidth = 720, kLeastHeight = 400, kLegendRow = 20;
constexpr double kLeft = 78, kRight = 170, kTop = 44,
                 kBottom = 54;  // around the plot; legend right

std::string draw_curve(const Chart& chart, const Curve& curve, const Scale& x, const Scale& y,
                       const char* colour, const std::string& dash) {
  std::string path, dots;
  bool pen_down = false;  // a point that cannot be shown leaves a gap
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (!can_show(chart.x, curve.x[i]) || !can_show(chart.y, curve.y[i])) {
      pen_down = false;
      continue;
    }
    const double px = x.pixel(curve.x[i]), py = y.pixel(curve.y[i]);
    path += format("%s%.1f %.1f", pen_down ? "L" : "M", px, py);
    pen_down = true;
    if (curve.markers) {
      dots += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px, py, colour);
    }
  }
  return format("<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", colour) + dash + " d=\"" +
         path + "\"/>\n" + dots;
}

}  // namespace

std::string to_svg(const Chart& chart) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double x_low = kInfinity, x_high = -kInfinity, y_low = kInfinity, y_high = -kInfinity;
  for (const Curve& curve : chart.curves) {
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!can_show(chart.x, curve.x[i]) || !can_show(chart.y, curve.y[i])) continue;
      x_low = std::min(x_low, curve.x[i]), x_high = std::max(x_high, curve.x[i]);
      y_low = std::min(y_low, curve.y[i]), y_high = std::max(y_high, curve.y[i]);
    }
  }
  if (!(x_low <= x_high))
    x_low = y_low = 1, x_high = y_high = 10;  // nothing to show: an empty frame

  // a long legend makes a high chart
  const double rows = kLegendRow * static_cast<double>(chart.curves.size());
  const double height = std::max(kLeastHeight, kTop + rows + kBottom);
  const double right = kWidth - kRight, bottom = height - kBottom;
  const Scale x(chart.x, x_low, x_high, kLeft, right), y(chart.y, y_low, y_high, bottom, kTop);

  std::string svg = svg_open(kWidth, height);
  svg += svg_text((kLeft + right) / 2, 24, "middle", chart.title, " font-size=\"15\"");
  svg += svg_x_ticks(x, kTop, bottom);
  for (const double tick : y.ticks()) {
    const double at = y.pixel(tick);
    svg += format("<path stroke=\"#ddd\" d=\"M%.1f %.1fH%.1f\"/>\n", kLeft, at, right);
    svg += svg_text(kLeft - 8, at + 4, "end", format("%g", tick));
  }
  svg += svg_text((kLeft + right) / 2, height - 14, "middle", chart.x.label);
  svg += svg_text(20, (kTop + bottom) / 2, "middle", chart.y.label,
                  format(" transform=\"rotate(-90 20 %.1f)\"", (kTop + bottom) / 2).c_str());
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const char* colour = svg_colour(i);
    const std::string dash = svg_dash(i);
    const double at = kTop + 14 + kLegendRow * static_cast<double>(i);
    svg += draw_curve(chart, chart.curves[i], x, y, colour, dash);
    svg += format("<path stroke=\"%s\" stroke-width=\"3\"%s d=\"M%.1f %.1fh18\"/>\n", colour,
                  dash.c_str(), right + 14, at - 4);
    svg += svg_text(right + 38, at, "start", chart.curves[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace lockstep::host
