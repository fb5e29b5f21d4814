// What the charts share: text, frames and scales as pieces of SVG.
#pragma once

#include <string>
#include <vector>

#include "plot/chart.hpp"
#include "text/number.hpp"

namespace lockstep::host {

// One after the other, then darker and lighter ones of the same, 32 in all; then from the start.
std::string svg_colour(std::size_t index);

// About so many pixels, in the font of svg_open: on the safe side, since nobody knows the font.
double svg_text_width(const std::string& text);

// The opening tag and a white ground; the document ends with </svg>.
std::string svg_open(double width, double height);

// anchor: start, middle or end; more: further attributes, with a space in front.
std::string svg_text(double x, double y, const char* anchor, const std::string& content,
                     const char* more = "");

bool can_show(const Axis& axis, double value);

// From data to pixels along one axis, with the ticks that people expect: 1, 2 or 5 times a power
// of ten, or whole decades where there are many.
class Scale {
 public:
  Scale(const Axis& axis, double low, double high, double from, double to);

  double pixel(double x) const;
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  double value(double x) const;  // along the axis: of a logarithmic one, the logarithm
  void mark_evenly();
  void mark_within_decades();

  bool logarithmic_;
  double from_, to_, low_, high_;
  std::vector<double> ticks_;
};

// The ticks of an x axis: lines from top to bottom, and numbers below.
std::string svg_x_ticks(const Scale& x, double top, double bottom, bool numbers = true);

}  // namespace lockstep::host
