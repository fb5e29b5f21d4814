#include "mesh/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace lockstep::host {

namespace {

bool before(const MeshPoint& a, const MeshPoint& b) {
  return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
}
bool same(const MeshPoint& a, const MeshPoint& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

double largest_side(const std::vector<MeshPoint>& points) {
  const auto side = [&](auto axis) {
    const auto [low, high] = std::ranges::minmax(points, {}, axis);
    return high.*axis - low.*axis;
  };
  return std::max({side(&MeshPoint::x), side(&MeshPoint::y), side(&MeshPoint::z)});
}

// The first point for which f is largest.
template <class F>
int farthest(const std::vector<MeshPoint>& points, F&& f) {
  int best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (const double value = f(points[i]); value > most) {
      most = value;
      best = static_cast<int>(i);
    }
  }
  return best;
}

class Quickhull {
 public:
  Quickhull(const std::vector<MeshPoint>& points, double size, double tolerance)
      : points_(points), tolerance_(tolerance * size), rounding_(1e-12 * size) {}

  // Indices into the points, ascending.
  std::set<int> corners() {
    const std::vector<int> start = simplex();
    if (start.size() < 4) return flat(start);
    add_simplex(start);
    for (std::size_t face = 0; face < faces_.size(); ++face) {
      while (!faces_[face].outside.empty()) grow(face);
    }
    std::set<int> result;
    for (const Face& face : faces_) {
      if (face.alive) result.insert(face.corners.begin(), face.corners.end());
    }
    return result;
  }

 private:
  struct Face {
    std::array<int, 3> corners;  // counterclockwise from outside
    MeshPoint normal;            // unit; zero where the corners are in line
    std::vector<int> outside;    // points that this face sees
    bool alive = true;
  };

  struct FlatPoint {
    double x, y;
    int index;
    auto operator<=>(const FlatPoint&) const = default;
  };

  const MeshPoint& at(int i) const { return points_[static_cast<std::size_t>(i)]; }

  double height(const Face& face, int point) const {
    return dot(face.normal, at(point) - at(face.corners[0]));
  }

  Face make_face(int a, int b, int c) const {
    MeshPoint n = cross(at(b) - at(a), at(c) - at(a));
    const double length = std::sqrt(dot(n, n));
    n = length > 0 ? (1 / length) * n : MeshPoint{};
    return {{a, b, c}, n, {}};
  }

  // Points far from each other: as many as the cloud has dimensions, and one more.
  std::vector<int> simplex() const {
    const int a = 0;  // the least in x
    const auto off = [&](const MeshPoint& p, int origin) { return p - at(origin); };
    const int b = farthest(points_, [&](const MeshPoint& p) { return dot(off(p, a), off(p, a)); });
    const MeshPoint line = off(at(b), a);
    const double length = std::sqrt(dot(line, line));
    if (!(length > tolerance_)) return {a};
    const auto from_line = [&](const MeshPoint& p) {
      const MeshPoint n = cross(line, off(p, a));
      return std::sqrt(dot(n, n)) / length;
    };
    const int c = farthest(points_, from_line);
    if (!(from_line(at(c)) > tolerance_)) return {a, b};
    const Face base = make_face(a, b, c);
    const auto from_plane = [&](const MeshPoint& p) {
      return std::fabs(dot(base.normal, off(p, a)));
    };
    const int d = farthest(points_, from_plane);
    if (!(from_plane(at(d)) > tolerance_)) return {a, b, c};
    return {a, b, c, d};
  }

  void add_simplex(const std::vector<int>& s) {
    const bool below = height(make_face(s[0], s[1], s[2]), s[3]) < 0;
    const int a = s[0], b = below ? s[1] : s[2], c = below ? s[2] : s[1], d = s[3];
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    add_faces({{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}}, all);
  }

  // Gives every point to the first of the new faces that sees it; the others are inside.
  void add_faces(const std::vector<std::array<int, 3>>& corners, const std::vector<int>& points) {
    const std::size_t first = faces_.size();
    for (const auto& [a, b, c] : corners) faces_.push_back(make_face(a, b, c));
    for (const int point : points) {
      const auto sees = [&](const Face& face) { return height(face, point) > tolerance_; };
      const auto face = std::find_if(faces_.begin() + static_cast<long>(first), faces_.end(), sees);
      if (face != faces_.end()) face->outside.push_back(point);
    }
  }

  // Adds the point that sticks out of a face the most: the faces it sees make room for a cone.
  void grow(std::size_t from) {
    const std::vector<int>& candidates = faces_[from].outside;
    const int apex = *std::ranges::max_element(
        candidates, {}, [&](int point) { return height(faces_[from], point); });
    std::set<std::pair<int, int>> edges;
    std::vector<int> points;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      Face& face = faces_[i];
      if (!face.alive || !(i == from || height(face, apex) > rounding_)) continue;
      face.alive = false;
      points.insert(points.end(), face.outside.begin(), face.outside.end());
      face.outside.clear();
      const auto [a, b, c] = face.corners;
      edges.insert({{a, b}, {b, c}, {c, a}});
    }
    std::erase(points, apex);
    std::vector<std::array<int, 3>> cone;
    for (const auto& [a, b] : edges) {
      if (!edges.contains({b, a})) cone.push_back({a, b, apex});
    }
    add_faces(cone, points);
  }

  // Of a cloud without depth: the corners of the polygon, the ends of the line, the point. Andrew's
  // chain along x and y of the plane.
  std::set<int> flat(const std::vector<int>& start) const {
    if (start.size() < 3) return {start.begin(), start.end()};
    const MeshPoint along = at(start[1]) - at(start[0]);
    const MeshPoint normal = make_face(start[0], start[1], start[2]).normal;
    const double length = std::sqrt(dot(along, along));
    const MeshPoint u = (1 / length) * along, v = cross(normal, u);
    std::vector<FlatPoint> order;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      order.push_back({dot(u, points_[i]), dot(v, points_[i]), static_cast<int>(i)});
    }
    std::ranges::sort(order);
    std::set<int> result;
    for (int side = 0; side < 2; ++side) {
      std::vector<FlatPoint> chain;
      for (const FlatPoint& point : order) {
        while (chain.size() > 1 && !turns_left(chain[chain.size() - 2], chain.back(), point)) {
          chain.pop_back();
        }
        chain.push_back(point);
      }
      for (const FlatPoint& point : chain) result.insert(point.index);
      std::ranges::reverse(order);
    }
    return result;
  }

  bool turns_left(const FlatPoint& a, const FlatPoint& b, const FlatPoint& c) const {
    const double x = c.x - a.x, y = c.y - a.y;
    return (b.x - a.x) * y - (b.y - a.y) * x > rounding_ * std::sqrt(x * x + y * y);
  }

  const std::vector<MeshPoint>& points_;
  double tolerance_;  // m
  double rounding_;   // m: how far a plane may miss its own points
  std::vector<Face> faces_;
};

}  // namespace

std::vector<MeshPoint> convex_hull(std::vector<MeshPoint> points, double tolerance) {
  for (MeshPoint& p : points) p = {p.x + 0.0, p.y + 0.0, p.z + 0.0};  // no -0
  std::ranges::sort(points, before);
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  if (points.empty()) return points;
  std::vector<MeshPoint> corners;
  for (const int i : Quickhull(points, largest_side(points), tolerance).corners()) {
    corners.push_back(points[static_cast<std::size_t>(i)]);
  }
  return corners;
}

}  // namespace lockstep::host
