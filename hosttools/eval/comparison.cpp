#include "eval/comparison.hpp"

#include <cstdio>

#include "robot/relative_error.hpp"

namespace lockstep::host {

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
    char number[32];
    std::snprintf(number, sizeof number, "%.1e", *worst.error);
    text += std::string(text.empty() ? "largest relative error: " : ", ") + name + " " + number +
            " (state " + std::to_string(worst.state) + ")";
  };
  tell("qdd", vdot_);
  tell("reaction", reaction_);
  tell("constraint force", force_);
  tell("generalized constraint force", generalized_);
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace lockstep::host
