// What a measurement is expected to answer: the states that the image draws, solved here.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/auxiliary/bounded_settings.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

// A hash of all answers, as firmware/apps/measure computes it; T is float or double. Of the tree
// alone, or with its loops and couplings.
template <class T>
std::uint64_t hash_of_answers(const Tree& tree, int states, bool closed = false);

// The same of bounded steps.
struct ExpectedStep {
  std::uint64_t hash = 0;             // of all answers, as firmware/apps/measure computes it
  std::vector<long long> operations;  // of the first states, those whose counts the image tells
};

// T is float or double.
template <class T>
ExpectedStep expect_step(const Tree& tree, int states, RowSolver solver, int contacts);

struct Spread {
  double median = 0, worst = 0;
};

// How far float is from double, each state's error as in docs/accuracy.md.
struct FloatError {
  int states = 0;  // that both answered
  Spread accelerations, reactions;
};

// Over the states that a chip with float is measured with.
FloatError float_error(const Tree& tree, int states);

}  // namespace lockstep::host
