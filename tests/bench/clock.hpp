// Processor time of this thread alone, whatever else the machine does, and the time on the wall,
// which costs far less to ask for.
#pragma once

#include <ctime>

namespace lockstep::bench {

inline double now_us(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  std::timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}
inline double wall_us() { return now_us(CLOCK_MONOTONIC); }

}  // namespace lockstep::bench
