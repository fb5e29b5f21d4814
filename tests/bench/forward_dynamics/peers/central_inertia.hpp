// Mass properties as most peers want them: about the centre of mass.
#pragma once

#include <array>

#include "lockstep/model.hpp"

namespace lockstep::bench {

struct CentralInertia {
  double mass;
  std::array<double, 3> com;
  std::array<double, 6> moment;  // xx xy xz yy yz zz, in body axes
};

inline CentralInertia central_inertia(const Body& body) {
  const double m = body.mass, scale = m > 0 ? 1 / m : 0;
  const double x = scale * body.h[0], y = scale * body.h[1], z = scale * body.h[2];
  const auto& I = body.inertia;
  return {m,
          {x, y, z},
          {I[0] - m * (y * y + z * z), I[1] + m * x * y, I[2] + m * x * z,
           I[3] - m * (x * x + z * z), I[4] + m * y * z, I[5] - m * (x * x + y * y)}};
}

}  // namespace lockstep::bench
