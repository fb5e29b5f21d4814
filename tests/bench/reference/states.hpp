// States drawn at random, the same on every machine: joints within their limits, moderate speeds
// and efforts, the last one at rest, and without effort on a fixed base. Those of closed robots
// fulfil their rows.
#pragma once

#include "peer.hpp"

namespace reference {

struct DrawnState {
  State state;
  double position = 0, velocity = 0;  // largest error of a constraint row
  int rows = 0, rank = 0;
};

std::vector<DrawnState> draw_states(const Robot& robot, int count);

}  // namespace reference
