// How far answers are from those a file already held, over accelerations and, apart, over
// reactions and the forces of constraints.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "eval/closed_engine.hpp"
#include "eval/states.hpp"

namespace lockstep::host {

class Comparison {
 public:
  void add(std::size_t index, const State& reference, const DenseOutput& answer);
  void add(std::size_t index, const State& reference, const ClosedAnswer& answer);
  void add_force(std::size_t index, const State& reference, const Eigen::VectorXd& force);

  // "largest relative error: qdd 3.1e-16 (state 4), reaction ...", or nothing to compare with.
  std::optional<std::string> summary() const;

 private:
  struct Worst {
    std::optional<double> error;
    std::size_t state = 0;
    void raise(double value, std::size_t index);
  };
  Worst vdot_, reaction_, force_, generalized_;
};

// What the rows of loops and couplings were in the states that were answered.
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
