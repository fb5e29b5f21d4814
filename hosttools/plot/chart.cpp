#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace lockstep::host {

namespace {

constexpr double kWidth = 720, kHeight = 400;
constexpr double kLeft = 78, kRight = 170, kTop = 44,
                 kBottom = 54;  // around the plot; legend right
constexpr const char* kColours[] = {"#0b6e99", "#d1495b", "#e09f3e",
                                    "#3f7d20", "#6a4c93", "#5c677d"};

template <class... Args>
std::string format(const char* pattern, Args... args) {
  char buffer[256];
  const int length = std::snprintf(buffer, sizeof buffer, pattern, args...);
  return std::string(buffer, static_cast<std::size_t>(std::clamp(length, 0, 255)));
}

std::string escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

// From data to pixels along one axis, with the ticks that people expect: 1, 2 or 5 times a power
// of ten, or whole decades.
class Scale {
 public:
  Scale(const Axis& axis, double low, double high, double from, double to)
      : logarithmic_(axis.logarithmic), from_(from), to_(to) {
    low_ = value(low), high_ = value(high);
    if (!(low_ < high_)) low_ -= 0.5, high_ += 0.5;  // one point, or none
    const double raw = (high_ - low_) / 5, power = std::pow(10, std::floor(std::log10(raw)));
    const double ratio = raw / power;
    step_ = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    if (logarithmic_) step_ = std::max(1.0, std::round(step_));
    low_ = std::floor(low_ / step_ + 1e-9) * step_;
    high_ = std::ceil(high_ / step_ - 1e-9) * step_;
  }

  double pixel(double x) const {
    return from_ + (value(x) - low_) / (high_ - low_) * (to_ - from_);
  }

  std::vector<double> ticks() const {
    std::vector<double> ticks;
    for (int i = 0; i <= static_cast<int>(std::lround((high_ - low_) / step_)); ++i) {
      const double at = low_ + i * step_;
      ticks.push_back(logarithmic_ ? std::pow(10, at) : std::abs(at) < step_ * 1e-9 ? 0 : at);
    }
    return ticks;
  }

 private:
  double value(double x) const { return logarithmic_ ? std::log10(x) : x; }

  bool logarithmic_;
  double from_, to_, low_, high_, step_;
};

bool can_show(const Axis& axis, double value) {
  return std::isfinite(value) && (!axis.logarithmic || value > 0);
}

std::string text(double x, double y, const char* anchor, const std::string& content,
                 const char* more = "") {
  return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more) +
         escape(content) + "</text>\n";
}

std::string draw_curve(const Chart& chart, const Curve& curve, const Scale& x, const Scale& y,
                       const char* colour) {
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
  return format("<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" d=\"", colour) + path +
         "\"/>\n" + dots;
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

  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  const Scale x(chart.x, x_low, x_high, kLeft, right), y(chart.y, y_low, y_high, bottom, kTop);

  std::string svg = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  svg += text((kLeft + right) / 2, 24, "middle", chart.title, " font-size=\"15\"");
  for (const double tick : x.ticks()) {
    const double at = x.pixel(tick);
    svg += format("<path stroke=\"#ddd\" d=\"M%.1f %.1fV%.1f\"/>\n", at, kTop, bottom);
    svg += text(at, bottom + 18, "middle", format("%g", tick));
  }
  for (const double tick : y.ticks()) {
    const double at = y.pixel(tick);
    svg += format("<path stroke=\"#ddd\" d=\"M%.1f %.1fH%.1f\"/>\n", kLeft, at, right);
    svg += text(kLeft - 8, at + 4, "end", format("%g", tick));
  }
  svg += text((kLeft + right) / 2, kHeight - 14, "middle", chart.x.label);
  svg += text(20, (kTop + bottom) / 2, "middle", chart.y.label,
              format(" transform=\"rotate(-90 20 %.1f)\"", (kTop + bottom) / 2).c_str());
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    const double at = kTop + 14 + 20 * static_cast<double>(i);
    svg += draw_curve(chart, chart.curves[i], x, y, colour);
    svg += format("<path stroke=\"%s\" stroke-width=\"3\" d=\"M%.1f %.1fh18\"/>\n", colour,
                  right + 14, at - 4);
    svg += text(right + 38, at, "start", chart.curves[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace lockstep::host
