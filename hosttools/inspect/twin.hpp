// The host's side of a measurement: the states that the image draws, solved here.
#pragma once

#include <cstdint>

#include "model/tree.hpp"

namespace lockstep::host {

// A hash of all answers, as firmware/apps/measure computes it; T is float or double.
template <class T>
std::uint64_t hash_of_answers(const Tree& tree, int states);

}  // namespace lockstep::host
