#include "sweep/ranks.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "sweep/rank_functions.h"
#include "system/programs.hpp"
#include "text/error.hpp"
#include "text/one_line.hpp"

namespace lockstep::host::sweep {

namespace {

// As Open MPI, MPICH and their kin tell the processes that they start.
bool is_started_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

Ranks::Ranks() {
  if (!is_started_by_mpi()) return;
  // its symbols are for MPI's own modules too; it stays loaded
  void* module = ::dlopen(mpi_file().c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* join = module == nullptr ? nullptr : ::dlsym(module, LOCKSTEP_JOIN);
  if (join == nullptr) {
    const char* why = ::dlerror();
    throw Error("mpirun lockstep sweep: this build has no MPI (" +
                as_one_line(why == nullptr ? "" : why) +
                "); toolchain/setup --mpi installs it, then configure and build again");
  }
  ranks_ = reinterpret_cast<LockstepJoin>(join)();
}

Ranks::~Ranks() {
  if (ranks_ != nullptr) ranks_->leave();
}

int Ranks::rank() const { return ranks_ == nullptr ? 0 : ranks_->rank; }
int Ranks::count() const { return ranks_ == nullptr ? 1 : ranks_->count; }

std::vector<std::string> Ranks::gather(const std::string& message) const {
  if (ranks_ == nullptr) return {message};
  std::vector<std::string> messages;
  const auto take = [](void* to, const char* bytes, std::size_t size) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(bytes, size);
  };
  ranks_->gather(message.data(), message.size(), take, &messages);
  return messages;
}

bool Ranks::hear(bool word) const { return ranks_ == nullptr ? word : ranks_->hear(word) != 0; }

}  // namespace lockstep::host::sweep
