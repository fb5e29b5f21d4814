// How fast something grows: the slope of the line of best fit through (log x, log y).
#pragma once

#include <cmath>
#include <span>

namespace lockstep::test {

inline double exponent(std::span<const double> x, std::span<const double> y) {
  double x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double log_x = std::log(x[i]), log_y = std::log(y[i]);
    x_sum += log_x, y_sum += log_y, xx_sum += log_x * log_x, xy_sum += log_x * log_y;
  }
  const auto count = static_cast<double>(x.size());
  return (count * xy_sum - x_sum * y_sum) / (count * xx_sum - x_sum * x_sum);
}

}  // namespace lockstep::test
