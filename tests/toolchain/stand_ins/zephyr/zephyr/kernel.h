// Stand-in for Zephyr's: a timer.
#pragma once
#include "stand_in.hpp"

struct k_timer { std::uint32_t rounds = 0; };
struct k_timeout_t { int milliseconds; };
#define K_MSEC(ms) (k_timeout_t{ms})
#define K_TIMER_DEFINE(name, expired, stopped) static k_timer name
inline void k_timer_start(k_timer*, k_timeout_t, k_timeout_t) { stand_in::start(); }
inline std::uint32_t k_timer_status_sync(k_timer* timer) {
  stand_in::end_after(++timer->rounds);
  while (stand_in::milliseconds() < timer->rounds) lockstep::board::idle();
  return 1;
}
