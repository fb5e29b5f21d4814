#include "plot/picture.hpp"

#include <algorithm>
#include <cmath>

#include "plot/svg.hpp"

namespace lockstep::host {

namespace {

constexpr double kWidth = 640, kHeight = 480, kBorder = 40;
constexpr double kAside = 0.5, kAbove = 0.42;  // rad

// Right, up, and towards the eye.
Eigen::Vector3d seen(const Eigen::Vector3d& p) {
  const double x = p.x() * std::cos(kAside) - p.y() * std::sin(kAside);
  const double y = p.x() * std::sin(kAside) + p.y() * std::cos(kAside);
  return {x, p.z() * std::cos(kAbove) + y * std::sin(kAbove),
          p.z() * std::sin(kAbove) - y * std::cos(kAbove)};
}

struct Shape {
  double depth;
  Eigen::Vector3d from, to;
  double radius;  // zero: a line
};

}  // namespace

std::string to_svg(const Picture& picture) {
  std::vector<Shape> shapes;
  Eigen::Vector2d low(1e300, 1e300), high(-1e300, -1e300);
  const auto add = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius) {
    shapes.push_back({0.5 * (from.z() + to.z()), from, to, radius});
    for (const Eigen::Vector3d& p : {from, to}) {
      low = low.cwiseMin(p.head<2>() - Eigen::Vector2d::Constant(radius));
      high = high.cwiseMax(p.head<2>() + Eigen::Vector2d::Constant(radius));
    }
  };
  for (const Picture::Line& line : picture.lines) add(seen(line.from), seen(line.to), 0);
  for (const Picture::Ball& ball : picture.balls) {
    add(seen(ball.centre), seen(ball.centre), ball.radius);
  }
  std::ranges::stable_sort(shapes, {}, &Shape::depth);
  const Eigen::Vector2d size = (high - low).cwiseMax(1e-9), middle = 0.5 * (low + high);
  const double scale =
      std::min((kWidth - 2 * kBorder) / size.x(), (kHeight - 2 * kBorder) / size.y());
  const auto x = [&](const Eigen::Vector3d& p) {
    return kWidth / 2 + scale * (p.x() - middle.x());
  };
  const auto y = [&](const Eigen::Vector3d& p) {
    return kHeight / 2 - scale * (p.y() - middle.y());
  };
  std::string svg =
      svg_open(kWidth, kHeight) + svg_text(kWidth / 2, kBorder / 2, "middle", picture.title);
  bool drawing = false;  // lines on end share a path
  const auto stop = [&] {
    if (drawing) svg += "\"/>\n";
    drawing = false;
  };
  for (const Shape& shape : shapes) {
    if (shape.radius > 0) {
      stop();
      svg += format(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" fill-opacity=\"0.9\" "
          "stroke=\"#222\"/>\n",
          x(shape.from), y(shape.from), scale * shape.radius, svg_colour(2));
    } else {
      if (!drawing) svg += format("<path stroke=\"%s\" d=\"", svg_colour(0));
      drawing = true;
      svg +=
          format("M%.1f %.1fL%.1f %.1f\n", x(shape.from), y(shape.from), x(shape.to), y(shape.to));
    }
  }
  stop();
  return svg + "</svg>\n";
}

}  // namespace lockstep::host
