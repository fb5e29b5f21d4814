#include "sweep/crew.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "robot/lane_stepping.hpp"
#include "sweep/lanes.hpp"

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
  const std::size_t size = question.in_lanes ? kStepLanes : 1;
  const std::size_t blocks = (runs.size() + size - 1) / size;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t failed = blocks;  // the first by number
  std::exception_ptr why;
  const auto serve = [&] {
    for (std::size_t i = next++; i < blocks; i = next++) {
      try {
        const std::size_t first = i * size, count = std::min(size, runs.size() - first);
        const std::vector<Finished> finished =
            run_side_by_side(question, std::span(runs).subspan(first, count));
        const std::scoped_lock lock(mutex);
        for (const Finished& own : finished) finish(own);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (i < failed) failed = i, why = std::current_exception();
        next = blocks;
      }
    }
  };
  {
    const std::size_t count = std::min(static_cast<std::size_t>(threads), blocks);
    std::vector<std::jthread> team;
    for (std::size_t t = 1; t < count; ++t) team.emplace_back(serve);
    serve();
  }
  if (why) std::rethrow_exception(why);
}

}  // namespace lockstep::host::sweep
