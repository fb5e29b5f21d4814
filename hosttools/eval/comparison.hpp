// How far answers are from those a file already held, over accelerations and, apart, over
// reactions and the forces of constraints.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "eval/closed_engine.hpp"
#include "eval/states.hpp"

namespace lockstep::host {

// Of one state: max |x - reference| / max(1, max |reference|).
template <class X, class Reference>
double relative_error(const X& x, const Reference& reference) {
  if (x.size() != reference.size()) return std::numeric_limits<double>::infinity();
  if (x.size() == 0) return 0;
  return (x - reference).cwiseAbs().maxCoeff() / std::max(1.0, reference.cwiseAbs().maxCoeff());
}

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
