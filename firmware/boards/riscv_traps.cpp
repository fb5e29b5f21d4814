// The tick, from the machine timer, and every trap that nobody asked for: a record, a report, a
// halt.
#include "boards/board.hpp"
#include "boards/riscv.hpp"
#include "boards/text.hpp"

namespace lockstep::board {

[[gnu::section(".noinit")]] Trap last_trap;

namespace {

volatile std::uint32_t tick_count = 0;
std::uint32_t tick_period = 0, start_time = 0;
std::uint64_t next_tick = 0;

std::uint32_t now() { return word_at(kTimer); }  // wraps

// A half at a time, the upper one out of reach meanwhile: no tick that is not meant.
void set_next_tick() {
  word_at(kTimerCompare + 4) = 0xFFFFFFFF;
  word_at(kTimerCompare) = static_cast<std::uint32_t>(next_tick);
  word_at(kTimerCompare + 4) = static_cast<std::uint32_t>(next_tick >> 32);
}

std::uint64_t full_time() {
  for (;;) {  // once more if the lower half wrapped in between
    const std::uint32_t upper = word_at(kTimer + 4), lower = now();
    if (upper == word_at(kTimer + 4)) return std::uint64_t{upper} << 32 | lower;
  }
}

}  // namespace

extern "C" {

[[gnu::interrupt("machine"), gnu::used]] void tick_handler() {
  tick_count = tick_count + 1;
  next_tick += tick_period;
  set_next_tick();
}

[[gnu::used, noreturn]] void report_trap(std::uintptr_t ra, std::uintptr_t sp) {
  Trap& t = last_trap;
  t.mark = Trap::kValid;
  t.ra = ra;
  t.sp = sp;
  asm volatile("csrr %0, mcause" : "=r"(t.cause));
  asm volatile("csrr %0, mepc" : "=r"(t.pc));
  asm volatile("csrr %0, mtval" : "=r"(t.value));
  asm volatile("csrr %0, mstatus" : "=r"(t.status));
  const struct {
    std::string_view name;
    std::uintptr_t value;
  } lines[] = {{"pc", t.pc}, {"ra", t.ra}, {"sp", t.sp}, {"mtval", t.value}, {"mstatus", t.status}};
  constexpr std::uintptr_t kIsInterrupt = ~(~std::uintptr_t{0} >> 1);
  write((t.cause & kIsInterrupt) != 0 ? "interrupt " : "fault ");
  write_decimal(t.cause & ~kIsInterrupt);
  for (const auto& line : lines) {
    write(" ");
    write(line.name);
    write(" 0x");
    write_hex(line.value, 2 * sizeof line.value);
  }
  write("\n");
  halt(1);
}

// Entry 0: exceptions; n: interrupt n, of which 7 is the timer's.
[[gnu::naked, gnu::aligned(256), gnu::used]] void trap_vectors() {
  asm volatile(
      ".option push\n .option norvc\n"
      ".rept 7\n j fault_handler\n .endr\n"
      "j tick_handler\n"
      ".rept 8\n j fault_handler\n .endr\n"
      ".option pop\n");
}

[[gnu::naked, gnu::used]] void fault_handler() {
  asm volatile(
      "mv a0, ra\n"
      "mv a1, sp\n"
      "j report_trap\n");
}
}

void start_ticking(std::uint32_t period) {
  disable(kTimerInterrupt);
  tick_count = 0;
  tick_period = period;
  const std::uint64_t begin = full_time();
  start_time = static_cast<std::uint32_t>(begin);
  next_tick = begin + period;
  set_next_tick();
  enable(kTimerInterrupt);
  interrupts_on();
}

std::uint32_t ticks() { return tick_count; }
std::uint32_t cycles() { return now() - start_time; }

}  // namespace lockstep::board
