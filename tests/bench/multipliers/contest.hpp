// All methods on one system, beginning with the same state.
#pragma once

#include "entrant.hpp"
#include "systems.hpp"

namespace lockstep::bench {

struct Contest {
  std::string name;
  int multipliers = 0;
  std::vector<Entrant> entrants = {};
  std::vector<double> errors = {};         // of each entrant, against the dense method
  std::vector<long long> operations = {};  // of each entrant, where they are counted
  int iterations = 0;                      // of conjugate gradients
  bool same_bits = true;                   // static and table

  const Entrant* find(const std::string& entrant) const;
};

// The names of entrants.
inline constexpr const char* kStatic = "static";
inline constexpr const char* kTable = "table";
inline constexpr const char* kTableFloat = "table, float";
inline constexpr const char* kDense = "dense";
inline constexpr const char* kBanded = "banded";
inline constexpr const char* kGradients = "conjugate gradients";
inline constexpr const char* kPrimary = "all primary";
inline constexpr const char* kAuxiliary = "12 auxiliary";

// The four systems of the paper's two sizes, as chains and as trees, and the tree of its figure 3.
std::vector<Contest> section_9();

// The system in the plane once more, as it is and with loops, by the table.
std::vector<Contest> auxiliary_rows();

// Trees of ball joints: ours in a table, and the dense method where it ends in a second.
std::vector<Contest> growing_trees();

}  // namespace lockstep::bench
