#include "model/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lockstep::host {

namespace {

constexpr double Vec3<double>::*kAxes[] = {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z};

NearShapes both(NearShapes a, const NearShapes& b) {
  a.shape = NearShapes::kSeveral;
  if (a.body != b.body) a.body = NearShapes::kSeveral;
  if (a.root != b.root) a.root = NearShapes::kSeveral;
  a.round = a.round || b.round;
  for (const auto axis : kAxes) {
    a.low.*axis = std::min(a.low.*axis, b.low.*axis);
    a.high.*axis = std::max(a.high.*axis, b.high.*axis);
  }
  return a;
}

double volume(const NearShapes& a) {
  const Vec3<double> side = a.high - a.low;
  return side.x * side.y * side.z + dot(side, side) * 1e-6;
}

// No more than the shapes' distance, by a rounding's margin; how deep they overlap is not known.
double least_distance(const NearShapes& a, const NearShapes& b) {
  constexpr double kMargin = 1e-9;
  double square = 0;
  for (const auto axis : kAxes) {
    const double gap = std::max({0.0, b.low.*axis - a.high.*axis, a.low.*axis - b.high.*axis});
    square += gap * gap;
  }
  const double least = (1 - kMargin) * std::sqrt(square) - kMargin;
  return least > 0 ? least : -std::numeric_limits<double>::infinity();
}

}  // namespace

NearPairs::NearPairs(const std::vector<NearShapes>& shapes, CanMeet can_meet)
    : can_meet_(std::move(can_meet)) {
  std::vector<int> numbers(shapes.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (shapes.empty()) return;
  const int root = grow(shapes, numbers.begin(), numbers.end());
  offer(root, root);
}

// Halves along the longest side; no library's order of equal numbers may decide.
int NearPairs::grow(const std::vector<NearShapes>& shapes, std::vector<int>::iterator begin,
                    std::vector<int>::iterator end) {
  const auto of = [&](int i) -> const NearShapes& { return shapes[static_cast<std::size_t>(i)]; };
  Branch branch = {.shapes = of(*begin)};
  for (auto i = begin + 1; i != end; ++i) branch.shapes = both(branch.shapes, of(*i));
  if (end - begin > 1) {
    const Vec3<double> side = branch.shapes.high - branch.shapes.low;
    const auto longest =
        *std::ranges::max_element(kAxes, {}, [&](auto axis) { return side.*axis; });
    const auto place = [&](int i) {
      return std::pair(of(i).low.*longest + of(i).high.*longest, i);
    };
    const auto middle = begin + (end - begin) / 2;
    std::ranges::nth_element(begin, middle, end, {}, place);
    branch.children[0] = grow(shapes, begin, middle);
    branch.children[1] = grow(shapes, middle, end);
  }
  branches_.push_back(branch);
  return static_cast<int>(branches_.size()) - 1;
}

void NearPairs::offer(int a, int b) {
  const NearShapes& A = branches_[static_cast<std::size_t>(a)].shapes;
  const NearShapes& B = branches_[static_cast<std::size_t>(b)].shapes;
  ++looks_;
  if (can_meet_(A, B)) queue_.emplace(least_distance(A, B), a, b);
}

std::optional<std::pair<int, int>> NearPairs::next(double within) {
  while (!queue_.empty()) {
    const auto [least, a, b] = queue_.top();
    if (least > within) break;
    queue_.pop();
    const Branch& A = branches_[static_cast<std::size_t>(a)];
    const Branch& B = branches_[static_cast<std::size_t>(b)];
    if (A.is_leaf() && B.is_leaf()) return std::minmax(A.shapes.shape, B.shapes.shape);
    if (a == b) {
      for (const int child : A.children) offer(child, child);
      offer(A.children[0], A.children[1]);
    } else if (B.is_leaf() || (!A.is_leaf() && volume(A.shapes) >= volume(B.shapes))) {
      for (const int child : A.children) offer(child, b);
    } else {
      for (const int child : B.children) offer(a, child);
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::host
