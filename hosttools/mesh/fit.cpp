#include "mesh/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lockstep::host {

namespace {

using contact::ShapeType;

constexpr std::array<double MeshPoint::*, 3> kAxes = {&MeshPoint::x, &MeshPoint::y, &MeshPoint::z};
constexpr Mat3<double> kAligned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

double square(const MeshPoint& v) { return dot(v, v); }

FittedShape box_around(const std::vector<MeshPoint>& corners) {
  FittedShape box{.type = ShapeType::kBox, .X_MS = {kAligned, {}}};
  for (const auto axis : kAxes) {
    const auto [low, high] = std::ranges::minmax(corners, {}, axis);
    box.X_MS.p.*axis = 0.5 * (low.*axis + high.*axis);
    box.half.*axis = 0.5 * (high.*axis - low.*axis);
  }
  return box;
}

// Steps towards the farthest point, ever shorter (Badoiu, Clarkson 2003): after n, within 1/n.
FittedShape sphere_around(const std::vector<MeshPoint>& corners) {
  constexpr int kSteps = 1000;
  MeshPoint centre = box_around(corners).X_MS.p;
  const auto distance = [&](const MeshPoint& p) { return square(p - centre); };
  for (int step = 1; step <= kSteps; ++step) {
    const MeshPoint& far = *std::ranges::max_element(corners, {}, distance);
    centre = centre + (1.0 / (step + 1)) * (far - centre);
  }
  const double radius = std::sqrt(distance(*std::ranges::max_element(corners, {}, distance)));
  return {.type = ShapeType::kSphere, .X_MS = {kAligned, centre}, .radius = radius};
}

FittedShape capsule_around(const std::vector<MeshPoint>& corners) {
  const FittedShape box = box_around(corners);
  const auto longest =
      std::ranges::max_element(kAxes, {}, [&](double MeshPoint::*axis) { return box.half.*axis; });
  // the next two axes turn with it, so that the frame stays right-handed
  const std::size_t z = static_cast<std::size_t>(longest - kAxes.begin());
  Placement<double> X = {{}, box.X_MS.p};
  X.R.z.*kAxes[z] = X.R.x.*kAxes[(z + 1) % 3] = X.R.y.*kAxes[(z + 2) % 3] = 1;
  const auto seen = [&](const MeshPoint& p) { return transpose_times(X.R, p - X.p); };
  double radius2 = 0;
  for (const MeshPoint& corner : corners) {
    const MeshPoint p = seen(corner);
    radius2 = std::max(radius2, p.x * p.x + p.y * p.y);
  }
  // the centres of the ends: no corner is farther out than the round end above it
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const MeshPoint& corner : corners) {
    const MeshPoint p = seen(corner);
    const double cap = std::sqrt(std::max(0.0, radius2 - (p.x * p.x + p.y * p.y)));
    low = std::min(low, p.z + cap);
    high = std::max(high, p.z - cap);
  }
  X.p = X.p + 0.5 * (low + high) * X.R.z;
  return {.type = ShapeType::kCapsule,
          .X_MS = X,
          .half = {0, 0, std::max(0.0, 0.5 * (high - low))},
          .radius = std::sqrt(radius2)};
}

using Symmetric = std::array<std::array<double, 3>, 3>;

// Jacobi's rotation that makes A(p, q) zero; V gathers the turns, axes in columns.
void rotate_away(std::size_t p, std::size_t q, Symmetric& A, Symmetric& V) {
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const auto turn = [&](double& x, double& y) {
    const double before = x;
    x = c * before - s * y;
    y = s * before + c * y;
  };
  for (std::size_t k = 0; k < 3; ++k) turn(A[k][p], A[k][q]);
  for (std::size_t k = 0; k < 3; ++k) turn(A[p][k], A[q][k]);
  for (std::size_t k = 0; k < 3; ++k) turn(V[k][p], V[k][q]);
}

}  // namespace

std::optional<FittedShape> box_of_inertia(double mass, const std::array<double, 6>& inertia) {
  constexpr int kSweeps = 10;  // of Jacobi's method, which ends after five
  constexpr double kThinnest =
      0.01;  // of the longest side: moments may break the triangle inequality
  const auto& [xx, xy, xz, yy, yz, zz] = inertia;
  Symmetric A = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  Symmetric V = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    rotate_away(0, 1, A, V), rotate_away(0, 2, A, V), rotate_away(1, 2, A, V);
  }
  const double trace = A[0][0] + A[1][1] + A[2][2];
  std::array<double, 3> half{};
  for (std::size_t i = 0; i < 3 && mass > 0; ++i) {
    half[i] = std::sqrt(std::max(0.0, 1.5 * (trace - 2 * A[i][i]) / mass));
  }
  const double longest = *std::ranges::max_element(half);
  if (!(longest > 0)) return std::nullopt;
  for (double& side : half) side = std::max(side, kThinnest * longest);
  const MeshPoint x = {V[0][0], V[1][0], V[2][0]}, y = {V[0][1], V[1][1], V[2][1]};
  return FittedShape{.type = ShapeType::kBox,
                     .X_MS = {{x, y, cross(x, y)}, {}},
                     .half = {half[0], half[1], half[2]}};
}

std::vector<MeshPoint> thin_out(const std::vector<MeshPoint>& corners, std::size_t most) {
  if (corners.size() <= most) return corners;
  std::vector<bool> chosen(corners.size(), false);
  std::vector<double> gap(corners.size(), std::numeric_limits<double>::infinity());
  std::size_t count = 0;
  const auto choose = [&](std::size_t i) {
    if (chosen[i] || count == most) return;
    chosen[i] = true;
    ++count;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      gap[k] = std::min(gap[k], square(corners[k] - corners[i]));
    }
    gap[i] = -1;  // less than any other, also where squares underflow
  };
  const auto place = [](const auto& range, auto it) {
    return static_cast<std::size_t>(it - range.begin());
  };
  for (const auto axis : kAxes) {
    choose(place(corners, std::ranges::min_element(corners, {}, axis)));
    choose(place(corners, std::ranges::max_element(corners, {}, axis)));
  }
  while (count < most) choose(place(gap, std::ranges::max_element(gap)));
  std::vector<MeshPoint> result;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (chosen[i]) result.push_back(corners[i]);
  }
  return result;
}

FittedShape fit(const std::vector<MeshPoint>& corners, MeshFit kind, std::size_t most_points) {
  switch (kind) {
    case MeshFit::kBox: return box_around(corners);
    case MeshFit::kSphere: return sphere_around(corners);
    case MeshFit::kCapsule: return capsule_around(corners);
    case MeshFit::kInertia:
    case MeshFit::kPoints: break;
  }
  return {
      .type = ShapeType::kPoints, .X_MS = {kAligned, {}}, .points = thin_out(corners, most_points)};
}

}  // namespace lockstep::host
