// A net of particles and rods that hangs at its corners, and its split into rows and columns.
#pragma once

#include <cmath>

#include "core/maximal/test_mechanism.hpp"
#include "methods/parts.hpp"

namespace lockstep::test {

struct Net {
  TestMechanism mechanism;
  std::vector<int> part_of, colour_of;  // rows, then columns

  host::methods::PartTable table() const { return {part_of, colour_of}; }
};

// `side` particles along each edge, a metre of rods between corners. Rows and columns are arcs of
// one radian and a half, so that every rod has its length.
inline Net hanging_net(int side, double mass = 0.01) {
  Net net;
  const double length = 1.0 / (side - 1);
  std::vector<double> along = {0}, down = {0};
  for (int i = 0; i + 1 < side; ++i) {
    const double angle = 1.5 * ((i + 0.5) / (side - 1) - 0.5);
    along.push_back(along.back() + length * std::cos(angle));
    down.push_back(down.back() + length * std::sin(angle));
  }
  const auto place = [&](int row, int column) {
    const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
    return Vec3<double>{along[c], along[r], down[c] + down[r]};
  };
  std::vector<int> bodies;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const bool corner = row % (side - 1) == 0 && column % (side - 1) == 0;
      const Vec3<double> p = place(row, column);
      bodies.push_back(corner ? kWorld : net.mechanism.add(Particle{mass}, {p}));
    }
  }
  const auto tie = [&](int row, int column, int next_row, int next_column, int part) {
    const auto end = [&](int r, int c) {
      const int body = bodies[static_cast<std::size_t>(r * side + c)];
      return std::pair(body,
                       body == kWorld ? Placement<double>{kAtOrigin.R, place(r, c)} : kAtOrigin);
    };
    const auto [a, X_A] = end(row, column);
    const auto [b, X_B] = end(next_row, next_column);
    net.mechanism.connect(maximal::ConstraintType::kDistance, a, X_A, b, X_B,
                          maximal::Distance<double>{length});
    net.part_of.push_back(part);
  };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j + 1 < side; ++j) tie(i, j, i, j + 1, i);
  }
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j + 1 < side; ++j) tie(j, i, j + 1, i, side + i);
  }
  for (int part = 0; part < 2 * side; ++part) net.colour_of.push_back(part < side ? 0 : 1);
  return net;
}

}  // namespace lockstep::test
