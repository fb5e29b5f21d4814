// The most that a step by Newton's method can take, where nothing but the ground is touched: what
// the tree takes once and in each solve, rehearsed with numbers that count, and what rows take,
// counted along auxiliary/newton_step.hpp, newton_rows.hpp and contact/cone_cost.hpp.
#pragma once

#include <vector>

#include "inspect/row_parts.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

class NewtonBounds {
 public:
  NewtonBounds() = default;
  explicit NewtonBounds(const Tree& tree);

  // With as many rows, and no more contacts than that among them. `around`: what any step takes
  // beside rows and tree. `coupled`: what loops and couplings take in each solve.
  RowParts step(int count, int contacts, long long around, long long shapes,
                long long coupled) const;

 private:
  struct Row {
    long long make = 0, solve = 0;
    long long look = 0;   // of a search
    long long round = 0;  // what takes out compliance and lift
  };

  long long tree_ = 0, solve_ = 0;
  std::vector<Row> contacts_, joints_;  // a row of a contact is a third of it
};

}  // namespace lockstep::host
