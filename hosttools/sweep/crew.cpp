#include "sweep/crew.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace lockstep::host::sweep {

namespace {

// A run's solvers are megabytes, which the next one takes again: handed back to the system in
// between, their pages are most of a short run's time.
void keep_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

void run_all(const Question& question, const std::vector<std::uint64_t>& runs, int threads,
             const std::function<void(const Finished&)>& finish) {
  keep_memory();
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t failed = runs.size();  // the first by number
  std::exception_ptr why;
  const auto serve = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        const Finished finished = run_one(question, runs[i]);
        const std::scoped_lock lock(mutex);
        finish(finished);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (i < failed) failed = i, why = std::current_exception();
        next = runs.size();
      }
    }
  };
  {
    const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(threads), runs.size());
    std::vector<std::jthread> team;
    for (std::size_t t = 1; t < count; ++t) team.emplace_back(serve);
    serve();
  }
  if (why) std::rethrow_exception(why);
}

}  // namespace lockstep::host::sweep
