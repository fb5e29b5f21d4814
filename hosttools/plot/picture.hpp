// Lines, balls, rods and flat faces in space as an SVG picture, seen from the front, a little from
// above and aside.
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
  struct Rod {  // with round ends
    Eigen::Vector3d from, to;
    double radius = 0;
  };
  // Of a solid: its corners against the clock as they are seen from outside.
  using Face = std::vector<Eigen::Vector3d>;

  std::string title;
  std::vector<Line> lines;
  std::vector<Ball> balls;
  std::vector<Rod> rods = {};
  std::vector<Face> faces = {};
};

// The faces of a prism around the z axis of the frame (R, p), from -half to half: `outline` goes
// around it against the clock, as seen from above.
std::vector<Picture::Face> prism(const Eigen::Matrix3d& R, const Eigen::Vector3d& p,
                                 const std::vector<Eigen::Vector2d>& outline, double half);

// Parallel projection, z up; what is nearer covers what is behind.
std::string to_svg(const Picture& picture);

}  // namespace lockstep::host
