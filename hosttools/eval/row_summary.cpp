#include "eval/row_summary.hpp"

#include <algorithm>
#include <cstdio>

#include "model/loop_rows.hpp"
#include "robot/assemble.hpp"

namespace lockstep::host {

void RowSummary::add(const DenseInput& in, int redundant) {
  const int rank = row_count(tree_) - redundant;
  least_ = std::min(least_, rank), most_ = std::max(most_, rank);
  const Eigen::VectorXd value = evaluate_rows(tree_, in.q).value;
  if (value.size() != 0) off_ = std::max(off_, value.cwiseAbs().maxCoeff());
}

std::string RowSummary::text() const {
  std::string text = ", " + std::to_string(row_count(tree_)) + " rows";
  if (least_ <= most_) text += " of rank " + std::to_string(least_);
  if (least_ < most_) text += " to " + std::to_string(most_);
  if (off_ <= kClosed) return text;
  char number[32];
  std::snprintf(number, sizeof number, "%.1e", off_);
  return text + ", which states miss by up to " + number + " m or rad";
}

}  // namespace lockstep::host
