// Which of some things hang together: union-find.
#pragma once

#include <numeric>
#include <vector>

namespace lockstep::host {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  // The one that stands for the set; halves the way for those who come after.
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The root of b stands for both. False if they were one set already.
  bool join(std::size_t a, std::size_t b) {
    const std::size_t from = root(a), to = root(b);
    parent_[from] = to;
    return from != to;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace lockstep::host
