#include "loop/tick_times.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::firmware::TickTimes;

TEST_GROUP(TickTimes){};

TEST(TickTimes, TheShortestTheLongestAndTheLastFew) {
  TickTimes times;
  CHECK_TRUE(times.last() == TickTimes::Last{});
  for (const std::uint32_t cycles : {30u, 10u, 20u}) times.add(cycles);
  CHECK_TRUE((times.last() == TickTimes::Last{20, 10, 30}));
  for (std::uint32_t cycles = 100; cycles < 150; ++cycles) times.add(cycles);
  const auto last = times.last();
  for (std::uint32_t i = 0; i < last.size(); ++i) LONGS_EQUAL(149 - i, last[i]);
  LONGS_EQUAL(53, times.ticks);
  LONGS_EQUAL(10, times.shortest);
  LONGS_EQUAL(149, times.longest);
}
