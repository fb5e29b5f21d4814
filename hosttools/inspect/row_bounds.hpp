// The most that rows can cost a robot, in operations: O(n) of the tree, O(k depth) of the rows'
// paths, O(k^2 depth) of products and what the k x k solver takes. Counted are additions,
// multiplications, divisions, square roots, and a sine with its cosine as one; looking whether a
// number is finite counts as a subtraction. The kernels are rehearsed with a scalar that counts,
// each with rows that take the longest way; what depends on data has a bound of its own
// (solver_operations.hpp, detect_operations.hpp).
#pragma once

#include <optional>
#include <vector>

#include "inspect/newton_bounds.hpp"
#include "lockstep/auxiliary/bounded_settings.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

class RowBounds {
 public:
  // Nothing for a robot without rows, or one that is singular wherever it was tried.
  static std::optional<RowBounds> of(const Tree& tree);

  int equalities() const { return static_cast<int>(equal_.size()); }  // of loops and couplings
  int joint_rows() const { return joint_rows_; }  // ends, speeds, dry friction, all at once
  int contacts() const { return contacts_; }      // that shapes can make, three rows each
  int most() const { return equalities() + joint_rows_ + 3 * contacts_; }

  // ClosedSolver over loops or a table: forward dynamics with the equalities.
  RowParts closed() const;
  // BoundedStepper on a plane with the equalities and any others, `count` in all, and no more
  // pivots, sweeps and solves than BoundedSettings say by themselves. Drives, tendons and own rows
  // are not in it. Newton's method: where nothing but the ground is touched. `contacts`: as many of
  // them at most, where it matters.
  RowParts step(int count, RowSolver solver) const { return step(count, solver, contacts_); }
  RowParts step(int count, RowSolver solver, int contacts) const;

 private:
  friend class RowRehearsal;
  struct Row {
    long long make = 0;     // in a step
    long long sweep = 0;    // along its path, alone; and its push
    long long product = 0;  // with a row of the same path
  };
  long long paths(int bounded) const;

  long long closed_tree_ = 0, closed_rows_ = 0;  // with the equalities' bodies pushed
  long long closed_finish_ = 0;                  // of that, the last solve
  long long step_tree_ = 0, shapes_ = 0;         // with all bodies pushed
  long long around_ = 0;                         // of that, beside the solver
  NewtonBounds newton_;
  std::vector<Row> equal_, bounded_;  // bounded: the costliest first, figure by figure
  int joint_rows_ = 0, contacts_ = 0;
};

}  // namespace lockstep::host
