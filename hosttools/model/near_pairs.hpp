// Pairs of shapes, the nearest first: best-first search over a tree of bounding boxes. Whole
// branches that cannot meet are passed over, so that the few pairs that a robot keeps cost n log n.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/spatial.hpp"

namespace lockstep::host {

// Of one shape, or of all in a branch of the tree.
struct NearShapes {
  static constexpr int kSeveral = -2;

  int shape, body, root;   // if all have the same one
  bool round;              // any of them
  Vec3<double> low, high;  // corners of the box around them, in the world
};

class NearPairs {
 public:
  // False: no two of them can meet, as those of one body. It is asked of branches too.
  using CanMeet = std::function<bool(const NearShapes&, const NearShapes&)>;

  NearPairs(const std::vector<NearShapes>& shapes, CanMeet can_meet);

  // The numbers of the next two shapes, ascending; none if all that are left are farther apart.
  std::optional<std::pair<int, int>> next(double within);

  std::size_t looks() const { return looks_; }  // pairs of branches, as a measure of work

 private:
  struct Branch {
    NearShapes shapes;
    int children[2] = {0, 0};

    bool is_leaf() const { return shapes.shape != NearShapes::kSeveral; }
  };
  using Meeting = std::tuple<double, int, int>;  // at least this far apart: two branches

  int grow(const std::vector<NearShapes>& shapes, std::vector<int>::iterator begin,
           std::vector<int>::iterator end);
  void offer(int a, int b);

  CanMeet can_meet_;
  std::vector<Branch> branches_;
  std::priority_queue<Meeting, std::vector<Meeting>, std::greater<>> queue_;
  std::size_t looks_ = 0;
};

}  // namespace lockstep::host
