#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/svg.hpp"

namespace lockstep::host {

namespace {

constexpr double kPlotWidth = 472, kLegendRow = 20, kMostLegendRows = 40;
constexpr double kAlone = 302, kStacked = 190;  // the least height of a plot
constexpr double kLeft = 78, kTop = 44, kBottom = 54, kBetween = 26;
constexpr double kRight = kLeft + kPlotWidth, kLeastLegend = 170, kLegendText = 38;
constexpr const char* kReference = " stroke-dasharray=\"5 4\"";

std::string draw_curve(const Chart& chart, const Curve& curve, const Scale& x, const Scale& y,
                       const std::string& colour, const std::string& dash) {
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
      dots +=
          format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px, py, colour.c_str());
    }
  }
  return format("<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", colour.c_str()) + dash +
         " d=\"" + path + "\"/>\n" + dots;
}

struct Span {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

void add_ranges(const Chart& chart, Span& x, Span& y) {
  for (const Curve& curve : chart.curves) {
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!can_show(chart.x, curve.x[i]) || !can_show(chart.y, curve.y[i])) continue;
      x.add(curve.x[i]), y.add(curve.y[i]);
    }
  }
}

// What a legend says, in columns where it is long; a reference has no line of its own.
struct Legend {
  struct Line {
    std::string name, colour, dash;
  };
  std::vector<Line> lines;
  double rows = 0, column = 0, width = 0;

  explicit Legend(const Chart& chart) {
    double longest = 0;
    const auto add = [&](const Line& line) {
      lines.push_back(line);
      longest = std::max(longest, svg_text_width(line.name));
    };
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
      if (!chart.curves[i].reference_of) add({chart.curves[i].name, svg_colour(i), ""});
    }
    if (lines.size() < chart.curves.size()) add({"reference", "#555", kReference});
    const double count = static_cast<double>(lines.size());
    const double columns = std::max(1.0, std::ceil(count / kMostLegendRows));
    rows = std::ceil(count / columns);
    column = std::max(kLeastLegend, kLegendText + longest + 12);
    width = columns * column;
  }
  double height() const { return rows * kLegendRow; }

  std::string draw(double top) const {
    std::string svg;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& [name, colour, dash] = lines[i];
      const double at_column = std::floor(static_cast<double>(i) / rows);
      const double x = kRight + at_column * column;
      const double y = top + 14 + kLegendRow * (static_cast<double>(i) - at_column * rows);
      svg += format("<path stroke=\"%s\" stroke-width=\"%d\"%s d=\"M%.1f %.1fh18\"/>\n",
                    colour.c_str(), dash.empty() ? 3 : 2, dash.c_str(), x + 14, y - 4);
      svg += svg_text(x + kLegendText, y, "start", name);
    }
    return svg;
  }
};

std::string draw_panel(const Chart& chart, const Scale& x, const Scale& y, double top,
                       double bottom) {
  std::string svg;
  for (const double tick : y.ticks()) {
    const double at = y.pixel(tick);
    svg += format("<path stroke=\"#ddd\" d=\"M%.1f %.1fH%.1f\"/>\n", kLeft, at, kRight);
    svg += svg_text(kLeft - 8, at + 4, "end", format("%g", tick));
  }
  const double middle = (top + bottom) / 2;
  svg += svg_text(20, middle, "middle", chart.y.label,
                  format(" transform=\"rotate(-90 20 %.1f)\"", middle).c_str());
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const auto followed = chart.curves[i].reference_of;
    svg += draw_curve(chart, chart.curves[i], x, y, svg_colour(followed.value_or(i)),
                      followed ? kReference : "");
  }
  return svg;
}

}  // namespace

std::string to_svg(const Chart& chart) { return to_svg(chart.title, {&chart, 1}); }

std::string to_svg(const std::string& title, std::span<const Chart> panels) {
  Span all;
  std::vector<Span> ranges;
  std::vector<Legend> legends;
  double width = svg_text_width(title) * 15 / 12 + 40;
  for (const Chart& panel : panels) {
    add_ranges(panel, all, ranges.emplace_back());
    width = std::max(width, kRight + legends.emplace_back(panel).width);
  }
  if (!(all.low <= all.high)) all = {1, 10};  // nothing to show: an empty frame

  std::string svg;
  double top = kTop, bottom = kTop;
  const double least = panels.size() == 1 ? kAlone : kStacked;
  for (std::size_t i = 0; i < panels.size(); ++i, top = bottom + kBetween) {
    const auto [low, high] = ranges[i].low <= ranges[i].high ? ranges[i] : Span{1, 10};
    bottom = top + std::max(least, legends[i].height());
    const Scale x(panels[0].x, all.low, all.high, kLeft, kRight);
    const Scale y(panels[i].y, low, high, bottom, top);
    svg += svg_x_ticks(x, top, bottom, i + 1 == panels.size());
    svg += draw_panel(panels[i], x, y, top, bottom) + legends[i].draw(top);
  }
  const double centre = std::max((kLeft + kRight) / 2, svg_text_width(title) * 15 / 24 + 20);
  const std::string label = panels.empty() ? "" : panels[0].x.label;
  return svg_open(width, bottom + kBottom) +
         svg_text(centre, 24, "middle", title, " font-size=\"15\"") +
         svg_text((kLeft + kRight) / 2, bottom + kBottom - 14, "middle", label) + svg + "</svg>\n";
}

}  // namespace lockstep::host
