// The tick of every Cortex-M: SysTick, from the CPU's clock.
#include "boards/board.hpp"
#include "boards/cortex_m.hpp"

namespace lockstep::board {

namespace {

volatile std::uint32_t tick_count = 0;
std::uint32_t tick_period = 0;

}  // namespace

extern "C" void tick_handler() { tick_count = tick_count + 1; }

void start_ticking(std::uint32_t period) {
  register_at(kSysTickControl) = 0;
  tick_count = 0;
  tick_period = period;
  register_at(kSysTickReload) = period - 1;
  register_at(kSysTickValue) = 0;
  register_at(kSysTickControl) = kSysTickOfCpu | kSysTickInterrupt | kSysTickEnable;
}

std::uint32_t ticks() { return tick_count; }

std::uint32_t cycles() {
  for (;;) {  // once more if a tick came in between
    const std::uint32_t before = tick_count;
    const std::uint32_t left = register_at(kSysTickValue);
    if (before == tick_count) return before * tick_period + (tick_period - 1 - left);
  }
}

}  // namespace lockstep::board
