#include "count.hpp"

#include "boards/board.hpp"
#include "boards/cortex_m.hpp"

namespace lockstep::measure {

namespace {

constexpr std::uint64_t kNanoseconds = LOCKSTEP_MEASURE_NANOSECONDS;  // an instruction
constexpr std::uint32_t kPaint = 0xC0FFEE5A;
constexpr std::uint32_t kPaintedWords = 16384;

// Ticks of SysTick between two loads with nothing but the call in between.
[[gnu::naked]] std::uint32_t ticks_of(Call, volatile std::uint32_t*) {
  asm volatile(
      "push {r4, r5, r6, lr}\n"
      "mov r4, r1\n"
      "mov r6, r0\n"
      "ldr r5, [r4]\n"
      "blx r6\n"
      "ldr r4, [r4]\n"
      "subs r0, r5, r4\n"
      "pop {r4, r5, r6, pc}\n");
}

template <int kCount>
[[gnu::naked]] void nops(void*) {
  asm volatile(
      ".rept %c0\n nop\n .endr\n"
      "bx lr\n" ::"i"(kCount));
}

}  // namespace

void start_counting() { board::start_counting(); }

// With 256 ns a tick is a sixth to an eighth of an instruction: rounding finds the whole number.
std::uint32_t instructions_of(Call call) {
  volatile std::uint32_t& value = board::register_at(board::kSysTickValue);
  board::restart_counting();
  while (value == 0) {
  }
  const std::uint32_t ticks = ticks_of(call, &value);
  if (board::counted_to_the_end()) return kTooMany;
  const std::uint64_t nanoseconds = ticks * std::uint64_t{1'000'000'000} / board::kClockHz;
  // less one: the second load
  return static_cast<std::uint32_t>((nanoseconds + kNanoseconds / 2) / kNanoseconds) - 1;
}

[[gnu::noinline]] std::uint32_t stack_of(Call call) {
  volatile std::uint32_t* top = nullptr;
  asm volatile("mov %0, sp" : "=r"(top));
  for (std::uint32_t i = 1; i <= kPaintedWords; ++i) *(top - i) = kPaint;
  call(nullptr);
  std::uint32_t words = kPaintedWords;
  while (words != 0 && *(top - words) == kPaint) --words;
  return 4 * words;
}

bool counts_right() {
  // instructions a tick; none where a tick is less than one
  const auto tick = static_cast<std::uint32_t>(1'000'000'000 / board::kClockHz / kNanoseconds);
  const auto right = [&](Call call, std::uint32_t length) {
    return instructions_of(call) + tick - length <= 2 * tick;
  };
  return right(nops<0>, 2) && right(nops<1>, 3) && right(nops<2>, 4) && right(nops<100>, 102) &&
         right(nops<4999>, 5001) && right(nops<20000>, 20002);
}

}  // namespace lockstep::measure
