// What a measured step is expected to answer: the states that the image draws, stepped here.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/auxiliary/bounded_settings.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

struct ExpectedStep {
  std::uint64_t hash = 0;             // of all answers, as firmware/apps/measure computes it
  std::vector<long long> operations;  // of the first states, those whose counts the image tells
};

// T is float or double.
template <class T>
ExpectedStep expect_step(const Tree& tree, int states, RowSolver solver, int contacts);

}  // namespace lockstep::host
