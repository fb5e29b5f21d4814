// A file of states and answers, as `lockstep eval --states` reads it.
#pragma once

#include "states.hpp"

namespace reference {

enum class Kind { kTree, kLoop, kMimic };

// A peer and its largest disagreement with the answers that are written.
struct Witness {
  std::string name, how;
  double vdot = 0, reaction = 0, generalized = 0;
  bool has_reaction = false;
};

struct Case {
  Robot robot;
  Kind kind = Kind::kTree;
  std::vector<DrawnState> states;
  std::vector<Answer> answers;
  std::vector<Spectrum> spectra;
  std::vector<Witness> witnesses;  // the first wrote the answers
  std::string date;
};

// "pendulum.fixed.json"
std::string file_name(const Case& c);

void write(const Case& c, const std::string& folder);

}  // namespace reference
