// Runs that are finished, in a file that only grows: a header with the question's hash, then
// records of one size, each with a check of its own, in the order in which they ended. What a kill
// left of a record is cut off by the next writer; what is damaged is no record.
#pragma once

#include <map>
#include <string>

#include "sweep/run.hpp"

namespace lockstep::host::sweep {

// A record: run, verdict, steps, hash, the values, check.
std::string to_bytes(const Finished& finished);

using FinishedRuns = std::map<std::uint64_t, Finished>;

// From records one after the other; those that are whole, of this question, and go into `to`.
void take_records(std::string_view bytes, const Question& question, FinishedRuns& to);

// Those of a file, if there is one. Throws Error if it is another question's.
void read_finished(const std::string& path, const Question& question, FinishedRuns& to);

class FinishedFile {
 public:
  // Goes on with the file, or begins it. Throws Error, also while another program writes it.
  FinishedFile(const std::string& path, const Question& question);
  ~FinishedFile();
  FinishedFile(const FinishedFile&) = delete;
  FinishedFile& operator=(const FinishedFile&) = delete;

  // At once in the system's hands: a killed program loses none. Throws Error.
  void add(const Finished& finished);

 private:
  const std::string path_;
  int file_ = -1;
};

}  // namespace lockstep::host::sweep
