// Stand-in for the Pico SDK's: a repeating timer, which counts when it is looked at.
#pragma once
#include "stand_in.hpp"

struct repeating_timer_t {};
namespace stand_in {
inline bool (*callback)(repeating_timer_t*) = nullptr;
inline std::uint32_t called = 0;
}  // namespace stand_in
inline void stdio_init_all() {}
inline bool add_repeating_timer_ms(std::int32_t, bool (*callback)(repeating_timer_t*), void*,
                                   repeating_timer_t*) {
  stand_in::callback = callback;
  stand_in::start();
  return true;
}
inline void tight_loop_contents() {
  while (stand_in::milliseconds() <= stand_in::called) lockstep::board::idle();
  stand_in::end_after(++stand_in::called);
  stand_in::callback(nullptr);
}
#define printf stand_in::print
