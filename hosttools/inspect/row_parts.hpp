// What the most operations of a step or of forward dynamics with rows are made of.
#pragma once

namespace lockstep::host {

struct RowParts {
  long long tree = 0;    // first and last passes; in a step the next pose and rows' errors too
  long long shapes = 0;  // detection
  long long rows = 0;    // what each of them is
  long long paths = 0;   // sweeps to the root, and products of each two
  long long system = 0;  // the solver
  long long total() const { return tree + shapes + rows + paths + system; }
};

}  // namespace lockstep::host
