#include "plot/picture.hpp"

#include <Eigen/Geometry>
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

// What is drawn at once, corner by corner as it is seen.
struct Drawn {
  enum class Kind { kLine, kBall, kRod, kFace };
  Kind kind;
  std::vector<Eigen::Vector3d> corners;
  double radius = 0;
  double depth() const {
    double sum = 0;
    for (const Eigen::Vector3d& corner : corners) sum += corner.z();
    return sum / static_cast<double>(corners.size());
  }
};

// Twice the area towards the eye of a face as it is seen; the back of a solid has less than none.
Eigen::Vector3d area(const std::vector<Eigen::Vector3d>& face) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    sum += (face[i] - face[0]).cross(face[i + 1] - face[0]);
  }
  return sum;
}

// From dark to full colour, as a face is turned to a light at the upper left of the eye.
std::string shaded(const std::vector<Eigen::Vector3d>& face) {
  const double light = area(face).normalized().dot(Eigen::Vector3d(-0.35, 0.75, 0.56));
  const double share = 0.75 + 0.25 * light;
  return format("#%02x%02x%02x", static_cast<int>(0xe8 * share), static_cast<int>(0xb0 * share),
                static_cast<int>(0x60 * share));
}

std::vector<Drawn> shapes_of(const Picture& picture) {
  using Kind = Drawn::Kind;
  std::vector<Drawn> shapes;
  for (const Picture::Line& line : picture.lines) {
    shapes.push_back({Kind::kLine, {seen(line.from), seen(line.to)}});
  }
  for (const Picture::Ball& ball : picture.balls) {
    shapes.push_back({Kind::kBall, {seen(ball.centre)}, ball.radius});
  }
  for (const Picture::Rod& rod : picture.rods) {
    shapes.push_back({Kind::kRod, {seen(rod.from), seen(rod.to)}, rod.radius});
  }
  for (const Picture::Face& face : picture.faces) {
    Drawn shape = {Kind::kFace, {}};
    for (const Eigen::Vector3d& corner : face) shape.corners.push_back(seen(corner));
    if (area(shape.corners).z() > 0) shapes.push_back(shape);
  }
  std::ranges::stable_sort(shapes, {}, &Drawn::depth);
  return shapes;
}

}  // namespace

std::vector<Picture::Face> prism(const Eigen::Matrix3d& R, const Eigen::Vector3d& p,
                                 const std::vector<Eigen::Vector2d>& outline, double half) {
  Picture::Face top, bottom;
  for (const Eigen::Vector2d& at : outline) {
    top.push_back(p + R * Eigen::Vector3d(at.x(), at.y(), half));
    bottom.push_back(p + R * Eigen::Vector3d(at.x(), at.y(), -half));
  }
  std::vector<Picture::Face> faces;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const std::size_t next = (i + 1) % outline.size();
    faces.push_back({bottom[i], bottom[next], top[next], top[i]});
  }
  faces.push_back(top);
  std::ranges::reverse(bottom);
  faces.push_back(bottom);
  return faces;
}

std::string to_svg(const Picture& picture) {
  const std::vector<Drawn> shapes = shapes_of(picture);
  Eigen::Vector2d low(1e300, 1e300), high(-1e300, -1e300);
  for (const Drawn& shape : shapes) {
    for (const Eigen::Vector3d& p : shape.corners) {
      low = low.cwiseMin(p.head<2>() - Eigen::Vector2d::Constant(shape.radius));
      high = high.cwiseMax(p.head<2>() + Eigen::Vector2d::Constant(shape.radius));
    }
  }
  const Eigen::Vector2d size = (high - low).cwiseMax(1e-9), middle = 0.5 * (low + high);
  const double scale =
      std::min((kWidth - 2 * kBorder) / size.x(), (kHeight - 2 * kBorder) / size.y());
  const auto at = [&](const Eigen::Vector3d& p) {
    return format("%.1f %.1f", kWidth / 2 + scale * (p.x() - middle.x()),
                  kHeight / 2 - scale * (p.y() - middle.y()));
  };
  std::string svg =
      svg_open(kWidth, kHeight) + svg_text(kWidth / 2, kBorder / 2, "middle", picture.title);
  bool drawing = false;  // lines on end share a path
  const auto stop = [&] {
    if (drawing) svg += "\"/>\n";
    drawing = false;
  };
  for (const Drawn& shape : shapes) {
    if (shape.kind == Drawn::Kind::kLine) {
      if (!drawing) svg += format("<path stroke=\"%s\" d=\"", svg_colour(0).c_str());
      drawing = true;
      svg += "M" + at(shape.corners[0]) + "L" + at(shape.corners[1]) + "\n";
      continue;
    }
    stop();
    if (shape.kind == Drawn::Kind::kFace) {
      std::string points;
      for (const Eigen::Vector3d& corner : shape.corners) {
        points += (points.empty() ? "" : " ") + at(corner);
      }
      svg += "<polygon points=\"" + points + "\" fill=\"" + shaded(shape.corners) +
             "\" stroke=\"#222\" stroke-linejoin=\"round\"/>\n";
    } else if (shape.kind == Drawn::Kind::kRod) {
      // a wide dark stroke, and a lighter one in it
      const std::string d = "M" + at(shape.corners[0]) + "L" + at(shape.corners[1]);
      for (const auto& [colour, less] : {std::pair("#222", 0), std::pair("#e8b060", 2)}) {
        svg += format(
            "<path stroke=\"%s\" stroke-width=\"%.1f\" stroke-linecap=\"round\" d=\"%s\"/>\n",
            colour, std::max(1.0, 2 * scale * shape.radius - less), d.c_str());
      }
    } else {
      std::string centre = at(shape.corners[0]);
      centre.replace(centre.find(' '), 1, "\" cy=\"");
      svg += format(
          "<circle cx=\"%s\" r=\"%.1f\" fill=\"%s\" fill-opacity=\"0.9\" stroke=\"#222\"/>\n",
          centre.c_str(), scale * shape.radius, svg_colour(2).c_str());
    }
  }
  stop();
  return svg + "</svg>\n";
}

}  // namespace lockstep::host
