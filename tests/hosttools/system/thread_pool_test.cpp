#include "system/thread_pool.hpp"

#include <CppUTest/TestHarness.h>

#include <atomic>
#include <vector>

using lockstep::host::ThreadPool;

TEST_GROUP(ThreadPool){};

TEST(ThreadPool, EveryPieceIsDoneOnceBeforeItReturns) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    LONGS_EQUAL(threads, pool.threads());
    for (const int count : {0, 1, 2, 7, 100}) {
      for (int order = 0; order < 20; ++order) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
        pool.run(count, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
        for (const std::atomic<int>& times : done) LONGS_EQUAL(1, times.load());
      }
    }
  }
}
