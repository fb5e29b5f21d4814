// Another program, run without a shell, whose output is kept up to a limit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep::host {

struct CapturedRun {
  bool found = false;       // the program could be started
  bool ended_well = false;  // with exit code 0, within the limit
  std::string output, errors;
};

// Runs words[0], looked for in PATH, with the rest as its arguments and nothing on standard input.
// Of output or errors beyond `most` bytes the program is stopped.
CapturedRun run_captured(const std::vector<std::string>& words, std::size_t most);

}  // namespace lockstep::host
