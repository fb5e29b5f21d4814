// What the rows of loops and couplings were in the states that were answered.
#pragma once

#include <limits>
#include <string>

#include "model/tree.hpp"
#include "oracle/world.hpp"

namespace lockstep::host {

class RowSummary {
 public:
  explicit RowSummary(const Tree& tree) : tree_(tree) {}

  void add(const DenseInput& in, int redundant);

  // ", 5 rows of rank 2", and how far states are from them if they do not hold.
  std::string text() const;

 private:
  const Tree& tree_;
  int least_ = std::numeric_limits<int>::max(), most_ = 0;  // ranks
  double off_ = 0;
};

}  // namespace lockstep::host
