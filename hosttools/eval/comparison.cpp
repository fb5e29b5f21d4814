#include "eval/comparison.hpp"

#include <algorithm>
#include <cstdio>

#include "model/loop_rows.hpp"
#include "oracle/relative_error.hpp"
#include "robot/assemble.hpp"

namespace lockstep::host {

namespace {

std::string rough(double value) {
  char number[32];
  std::snprintf(number, sizeof number, "%.1e", value);
  return number;
}

}  // namespace

void Comparison::Worst::raise(double value, std::size_t index) {
  if (error && value <= *error) return;
  error = value;
  state = index;
}

void Comparison::add(std::size_t index, const State& reference, const DenseOutput& answer) {
  if (reference.vdot) vdot_.raise(relative_error(answer.vdot, *reference.vdot), index);
  if (reference.reaction) {
    reaction_.raise(relative_error(answer.reaction, *reference.reaction), index);
  }
}

void Comparison::add(std::size_t index, const State& reference, const ClosedAnswer& answer) {
  add(index, reference, answer.out);
  if (reference.constraint_generalized_force) {
    generalized_.raise(relative_error(answer.generalized, *reference.constraint_generalized_force),
                       index);
  }
}

void Comparison::add_force(std::size_t index, const State& reference,
                           const Eigen::VectorXd& force) {
  if (!reference.constraint_force) return;
  force_.raise(relative_error(force, *reference.constraint_force), index);
}

std::optional<std::string> Comparison::summary() const {
  std::string text;
  const auto tell = [&](const char* name, const Worst& worst) {
    if (!worst.error) return;
    text += std::string(text.empty() ? "largest relative error: " : ", ") + name + " " +
            rough(*worst.error) + " (state " + std::to_string(worst.state) + ")";
  };
  tell("qdd", vdot_);
  tell("reaction", reaction_);
  tell("constraint force", force_);
  tell("generalized constraint force", generalized_);
  if (text.empty()) return std::nullopt;
  return text;
}

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
  return text + ", which states miss by up to " + rough(off_) + " m or rad";
}

}  // namespace lockstep::host
