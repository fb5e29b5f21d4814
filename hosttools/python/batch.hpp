// Batches of states: rows of numbers, threads with a workspace each, the error of the first state
// that has no answer. Results are those of each state alone, for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "text/error.hpp"

namespace lockstep::host::python {

// One row for every state, or the same for all of them (step 0); none: nullptr.
struct Rows {
  const double* data = nullptr;
  std::ptrdiff_t step = 0;

  const double* operator[](std::size_t i) const {
    return data == nullptr ? nullptr : data + static_cast<std::ptrdiff_t>(i) * step;
  }
};

// Workspaces that threads take and give back: large, and made only when one more is needed.
template <class W>
class Pool {
 public:
  explicit Pool(std::function<std::unique_ptr<W>()> make) : make_(std::move(make)) {}

  std::unique_ptr<W> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!spare_.empty()) {
        std::unique_ptr<W> one = std::move(spare_.back());
        spare_.pop_back();
        return one;
      }
    }
    return make_();
  }
  void give(std::unique_ptr<W> one) {
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(one));
  }

 private:
  std::function<std::unique_ptr<W>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<W>> spare_;
};

// A batch of one speaks of no number.
inline std::string state_text(std::size_t state, std::size_t count, const std::string& why) {
  return count == 1 ? why : "state " + std::to_string(state) + ": " + why;
}

// Calls one(work, i) for every i below count. It throws Error with the reason alone where a state
// has no answer; of these the first by number is told, whatever the threads. 0 threads: all cores.
template <class W, class F>
void for_each_state(Pool<W>& pool, std::size_t count, int threads, F&& one) {
  constexpr std::size_t kWorthAThread = 32;  // states
  const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads)
                                         : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t used = std::clamp<std::size_t>(count / kWorthAThread, 1, wanted);
  struct Failure {
    std::size_t state;
    std::exception_ptr why;
  };
  std::vector<std::optional<Failure>> failures(used);
  const auto serve = [&](std::size_t t) {
    std::size_t i = count * t / used;
    try {
      std::unique_ptr<W> work = pool.take();
      for (; i < count * (t + 1) / used; ++i) one(*work, i);
      pool.give(std::move(work));
    } catch (...) {
      failures[t] = Failure{i, std::current_exception()};
    }
  };
  std::vector<std::jthread> team;
  for (std::size_t t = 1; t < used; ++t) team.emplace_back(serve, t);
  serve(0);
  team.clear();
  for (const std::optional<Failure>& failure : failures) {
    if (failure) std::rethrow_exception(failure->why);
  }
}

}  // namespace lockstep::host::python
