// What robots stand on, fixed to the world: it tells any point its distance and the way out. A
// ground of a user's own has the same two functions and a material.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

#include "lockstep/contact/shape.hpp"

namespace lockstep::contact {

// Of one side of a contact. The pair takes the geometric mean of the coefficients, so that ice
// stays slippery under rubber, and the larger restitution.
template <class T>
struct Material {
  T friction = T(0);     // coefficient
  T restitution = T(0);  // 0: no bounce, 1: as fast as it came

  constexpr Status check() const {
    const bool good =
        friction >= T(0) && is_finite(friction) && restitution >= T(0) && restitution <= T(1);
    return good ? Status::kOk : Status::kBadConstraint;
  }
  friend Material between(const Material& a, const Material& b) {
    return {sqrt(a.friction * b.friction),
            a.restitution > b.restitution ? a.restitution : b.restitution};
  }
};

template <class T>
struct Surface {
  T distance;      // m, negative inside
  Vec3<T> normal;  // out of the ground
};

template <class G, class T>
concept Ground = requires(const G& ground, const Vec3<T>& point) {
  { ground.check() } -> std::same_as<Status>;
  { ground.under(point) } -> std::same_as<std::optional<Surface<T>>>;  // none: no ground there
  { ground.material } -> std::convertible_to<Material<T>>;
};

// Nothing: shapes meet each other alone.
template <class T>
struct NoGround {
  Material<T> material = {};

  constexpr Status check() const { return Status::kOk; }
  constexpr std::optional<Surface<T>> under(const Vec3<T>&) const { return {}; }
};

// normal . p = offset; everything below is inside.
template <class T>
struct Plane {
  Vec3<T> normal = {T(0), T(0), T(1)};
  T offset = T(0);
  Material<T> material = {};

  constexpr Status check() const {
    constexpr T kTolerance = sizeof(T) == sizeof(float) ? T(1e-5) : T(1e-9);
    const bool good = is_within(T(dot(normal, normal) - T(1)), kTolerance) && is_finite(offset);
    return good ? material.check() : Status::kBadConstraint;
  }
  constexpr std::optional<Surface<T>> under(const Vec3<T>& point) const {
    return Surface<T>{dot(normal, point) - offset, normal};
  }
};

// Heights over a regular grid, two triangles a cell. Points see the plane of the triangle that is
// below or above them: exact for corners up to a cell's edge, near enough for radii that are small
// against the hills. There is no ground beside the grid.
template <class T>
struct HeightField {
  T x = T(0), y = T(0);  // m, of the first height
  T spacing = T(1);      // m
  int columns = 0, rows = 0;
  std::span<const T> heights = {};  // m, the caller's: row by row, x running fastest
  Material<T> material = {};

  // Looks at every height: once for a field, not once a tick.
  constexpr Status check() const {
    if (columns < 2 || rows < 2 || heights.size() / at(columns) != at(rows) ||
        heights.size() % at(columns) != 0) {
      return Status::kWrongSize;
    }
    bool finite = is_finite(x) && is_finite(y);
    for (const T& height : heights) finite = finite && is_finite(height);
    if (!finite) return Status::kNotFinite;
    return spacing > T(0) && is_finite(spacing) ? material.check() : Status::kBadConstraint;
  }

  std::optional<Surface<T>> under(const Vec3<T>& point) const {
    const T u = (point.x - x) / spacing, v = (point.y - y) / spacing;
    if (!(u >= T(0) && v >= T(0) && u <= T(columns - 1) && v <= T(rows - 1))) return {};
    const int i = cell(u, columns), j = cell(v, rows);
    const T along = u - T(i), aside = v - T(j);
    const T corner = height(i, j), opposite = height(i + 1, j + 1);
    // the corner between them, on the side of the diagonal where the point is
    const bool right = along >= aside;
    const T third = right ? height(i + 1, j) : height(i, j + 1);
    const T rise_x = right ? third - corner : opposite - third;
    const T rise_y = right ? opposite - third : third - corner;
    const T level = corner + along * rise_x + aside * rise_y;
    const Vec3<T> steep = {-rise_x / spacing, -rise_y / spacing, T(1)};
    const T upright = T(1) / sqrt(dot(steep, steep));
    return Surface<T>{(point.z - level) * upright, upright * steep};
  }

 private:
  static constexpr int cell(const T& u, int count) {
    const int i = static_cast<int>(u);
    return i < count - 1 ? i : count - 2;
  }
  constexpr const T& height(int i, int j) const { return heights[at(j) * at(columns) + at(i)]; }
};

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
