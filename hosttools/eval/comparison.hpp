// How far answers are from those a file already held, over accelerations and, apart, over
// reactions and the forces of constraints.
#pragma once

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

}  // namespace lockstep::host
