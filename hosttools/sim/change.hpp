// A number of a run that is not as its file and options say: `--set mass.forearm=1.2`, and what
// `lockstep sweep` varies.
#pragma once

#include <string>
#include <vector>

namespace lockstep::host::sim {

struct Change {
  std::string name;
  double value = 0;
};
using Changes = std::vector<Change>;

// "mass.forearm=1.2". Throws Error.
Change read_change(const std::string& text);

// As read_change reads it, to the same bits.
std::string change_text(const Change& change);

}  // namespace lockstep::host::sim
