// All methods on one system, beginning with the same state.
#pragma once

#include "entrant.hpp"
#include "systems.hpp"

namespace lockstep::bench {

struct Contest {
  std::string name;
  int multipliers = 0;
  std::vector<Entrant> entrants = {};
  std::vector<double> errors = {};  // of each entrant, against the dense method
  int iterations = 0;               // of conjugate gradients
  bool same_bits = true;            // static and table

  const Entrant* find(const std::string& entrant) const;
};

// The names of entrants.
inline constexpr const char* kStatic = "static";
inline constexpr const char* kTable = "table";
inline constexpr const char* kTableFloat = "table, float";
inline constexpr const char* kDense = "dense";
inline constexpr const char* kBanded = "banded";
inline constexpr const char* kGradients = "conjugate gradients";

// The four systems of the paper's two sizes, as chains and as trees, and the tree of its figure 3.
std::vector<Contest> section_9();

// Trees of ball joints: ours in a table, and the dense method where it ends in a second.
std::vector<Contest> growing_trees();

}  // namespace lockstep::bench
