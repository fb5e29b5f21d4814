// Processor time of this thread alone, whatever else the machine does.
#pragma once

#include <ctime>

namespace lockstep::bench {

inline double now_us() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace lockstep::bench
