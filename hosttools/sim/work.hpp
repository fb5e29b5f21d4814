// What is done to a mechanism: by the constant forces on its bodies, and by constraints that move
// by themselves.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace lockstep::host::sim {

// Constraints that move by themselves do work.
bool is_driven(const maximal::ConstraintRecord& record);

class MechanismWork {
 public:
  explicit MechanismWork(const Mechanism& mechanism);

  // Whether anything is done at all.
  bool any() const { return pushed_ || !driven_.empty(); }

  // A state at its time, and the rows' forces in the step that led to it.
  void add(double time, double dt, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
           const Eigen::VectorXd& lambda);
  double total() const { return total_; }  // J, since the first state

 private:
  // A row that moves: J v = -phi_t, so that its force does -lambda phi_t a second.
  struct DrivenRow {
    Eigen::Index row;
    double phi_t;
  };
  std::vector<DrivenRow> driven_rows(double time) const;

  Mechanism moved_;  // at the last state
  Eigen::VectorXd force_, before_;
  std::vector<std::size_t> driven_;
  std::vector<DrivenRow> rows_;
  bool pushed_ = false, started_ = false;
  double total_ = 0;
};

}  // namespace lockstep::host::sim
