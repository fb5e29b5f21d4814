// The part of a sweep that falls to one process: what is not finished of its runs, on its threads.
#pragma once

#include "sweep/finished_file.hpp"

namespace lockstep::host::sweep {

struct Share {
  std::string base;         // where finished runs go; empty: nowhere
  int rank = 0, count = 1;  // of the processes
  int threads = 1;

  // This one's own: a file has one writer.
  std::string file() const;
};

// The base and what other processes wrote beside it, as far as this machine has them.
std::vector<std::string> finished_files(const std::string& base);

// Runs what of the share is not among the finished; rank 0 tells how far it is. Throws Error.
void finish_share(const Question& question, const Share& share, FinishedRuns& finished);

}  // namespace lockstep::host::sweep
