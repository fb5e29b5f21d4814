// Lines and balls in space as an SVG picture, seen from the front, a little from above and aside.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace lockstep::host {

struct Picture {
  struct Line {
    Eigen::Vector3d from, to;
  };
  struct Ball {
    Eigen::Vector3d centre;
    double radius = 0;
  };
  std::string title;
  std::vector<Line> lines;
  std::vector<Ball> balls;
};

// Parallel projection, z up; what is nearer covers what is behind.
std::string to_svg(const Picture& picture);

}  // namespace lockstep::host
