// The processes that share a sweep: this one alone, or the ranks of mpirun.
#pragma once

#include <string>
#include <vector>

struct LockstepRanks;

namespace lockstep::host::sweep {

class Ranks {
 public:
  // Throws Error where mpirun has started several and this build has no MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const;
  int count() const;
  // Every rank calls these. The messages of all, at rank 0; elsewhere none.
  std::vector<std::string> gather(const std::string& message) const;
  // What rank 0 says.
  bool hear(bool word) const;

 private:
  const LockstepRanks* ranks_ = nullptr;  // alone
};

}  // namespace lockstep::host::sweep
