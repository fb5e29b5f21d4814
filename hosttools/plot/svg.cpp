#include "plot/svg.hpp"

#include <cmath>
#include <iterator>

namespace lockstep::host {

namespace {

constexpr double kManyDecades = 3;
constexpr int kColours[] = {0x0b6e99, 0xd1495b, 0xe09f3e, 0x3f7d20,
                            0x6a4c93, 0x5c677d, 0x2a9d8f, 0x9a6240};
// of a round: how much of the colour is left, and how much white comes to it
struct Shade {
  double colour, white;
};
constexpr Shade kShades[] = {{1, 0}, {0.6, 0}, {0.5, 0.5}, {0.3, 0}};
constexpr double kCharacter = 7.2;  // pixels: few letters of a sans-serif font of 12 are wider

std::string escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return result;
}

}  // namespace

std::string svg_colour(std::size_t index) {
  const int colour = kColours[index % std::size(kColours)];
  const Shade& shade = kShades[index / std::size(kColours) % std::size(kShades)];
  std::string text = "#";
  for (const int shift : {16, 8, 0}) {
    const int part = (colour >> shift) & 0xFF;
    text += format("%02x", static_cast<int>(part * shade.colour + 255 * shade.white));
  }
  return text;
}

double svg_text_width(const std::string& text) {
  return kCharacter * static_cast<double>(text.size());
}

std::string svg_open(double width, double height) {
  return format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
      width, height);
}

std::string svg_text(double x, double y, const char* anchor, const std::string& content,
                     const char* more) {
  return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more) +
         escape(content) + "</text>\n";
}

bool can_show(const Axis& axis, double value) {
  return std::isfinite(value) && (!axis.logarithmic || value > 0);
}

Scale::Scale(const Axis& axis, double low, double high, double from, double to)
    : logarithmic_(axis.logarithmic), from_(from), to_(to), low_(value(low)), high_(value(high)) {
  if (!(low_ < high_)) low_ -= 0.5, high_ += 0.5;  // one point, or none
  if (logarithmic_ && high_ - low_ < kManyDecades)
    mark_within_decades();
  else
    mark_evenly();
}

double Scale::value(double x) const { return logarithmic_ ? std::log10(x) : x; }

double Scale::pixel(double x) const {
  return from_ + (value(x) - low_) / (high_ - low_) * (to_ - from_);
}

void Scale::mark_evenly() {
  const double raw = (high_ - low_) / 5, power = std::pow(10, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  if (logarithmic_) step = std::max(1.0, std::round(step));
  low_ = std::floor(low_ / step + 1e-9) * step;
  high_ = std::ceil(high_ / step - 1e-9) * step;
  for (int i = 0; i <= static_cast<int>(std::lround((high_ - low_) / step)); ++i) {
    const double at = low_ + i * step;
    ticks_.push_back(logarithmic_ ? std::pow(10, at) : std::abs(at) < step * 1e-9 ? 0 : at);
  }
}

void Scale::mark_within_decades() {
  constexpr double kSlack = 1e-9;
  const auto reached = [&] { return !ticks_.empty() && value(ticks_.back()) >= high_ - kSlack; };
  for (int decade = static_cast<int>(std::floor(low_)); !reached(); ++decade) {
    for (const double factor : {1, 2, 5}) {
      const double tick = factor * std::pow(10, decade);
      if (value(tick) <= low_ + kSlack) ticks_.clear();  // there is a closer one
      if (!reached()) ticks_.push_back(tick);
    }
  }
  low_ = value(ticks_.front()), high_ = value(ticks_.back());
}

std::string svg_x_ticks(const Scale& x, double top, double bottom, bool numbers) {
  std::string svg;
  for (const double tick : x.ticks()) {
    const double at = x.pixel(tick);
    svg += format("<path stroke=\"#ddd\" d=\"M%.1f %.1fV%.1f\"/>\n", at, top, bottom);
    if (numbers) svg += svg_text(at, bottom + 18, "middle", format("%g", tick));
  }
  return svg;
}

}  // namespace lockstep::host
