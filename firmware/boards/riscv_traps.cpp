// The tick, from the machine timer, and every trap that nobody asked for: how it enters, and what
// the registers tell.
#include "boards/board.hpp"
#include "boards/fault_handler.hpp"
#include "boards/riscv.hpp"

namespace lockstep::board {

namespace {

constexpr FaultWord kWords[] = {{"pc", &FaultRecord::pc},    {"ra", &FaultRecord::lr},
                                {"sp", &FaultRecord::frame}, {"mstatus", &FaultRecord::xpsr},
                                {"a0", &FaultRecord::r0},    {"a1", &FaultRecord::r1},
                                {"a2", &FaultRecord::r2},    {"a3", &FaultRecord::r3},
                                {"a4", &FaultRecord::r12},   {"mtval", &FaultRecord::mmfar}};

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

constinit const std::span<const FaultWord> kFaultWords = kWords;

FaultRecord read_fault(const std::uintptr_t* frame) {
  std::uintptr_t cause = 0, pc = 0, status = 0, value = 0;
  asm volatile("csrr %0, mcause" : "=r"(cause));
  asm volatile("csrr %0, mepc" : "=r"(pc));
  asm volatile("csrr %0, mstatus" : "=r"(status));
  asm volatile("csrr %0, mtval" : "=r"(value));
  const bool is_interrupt = static_cast<std::intptr_t>(cause) < 0;
  const std::uintptr_t number = (cause & 0xFF) + (is_interrupt ? link::kFirstRiscvInterrupt : 0);
  return {.mark = 0,
          .exception = static_cast<std::uint16_t>(number),
          .cpu = link::Cpu::kRiscv,
          .r0 = frame[0],
          .r1 = frame[1],
          .r2 = frame[2],
          .r3 = frame[3],
          .r12 = frame[4],
          .lr = frame[5],
          .pc = pc,
          .xpsr = status,
          .frame = frame[6],
          .cfsr = 0,
          .hfsr = 0,
          .mmfar = value,
          .bfar = 0,
          .count = 0,
          .step_low = 0,
          .step_high = 0};
}

extern "C" {

[[gnu::interrupt("machine"), gnu::used]] void tick_handler() {
  tick_count = tick_count + 1;
  next_tick += tick_period;
  set_next_tick();
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

// The interrupted registers go to the handler's own stack. A fault within it finds the end of all:
// the hart stands, as a Cortex-M that locks up, and the watchdog resets it.
#if __riscv_xlen == 64
#define LOCKSTEP_STORE(name, i) "sd " name ", 8 * " #i "(sp)\n"
#else
#define LOCKSTEP_STORE(name, i) "sw " name ", 4 * " #i "(sp)\n"
#endif
[[gnu::naked, gnu::aligned(4), gnu::used]] void fault_handler() {
  asm volatile(
      "csrw mscratch, sp\n"
      "la sp, %0\n"
      LOCKSTEP_STORE("a0", 0) LOCKSTEP_STORE("a1", 1) LOCKSTEP_STORE("a2", 2)
      LOCKSTEP_STORE("a3", 3) LOCKSTEP_STORE("a4", 4) LOCKSTEP_STORE("ra", 5)
      "csrr a1, mscratch\n"
      LOCKSTEP_STORE("a1", 6)
      "la a1, 1f\n"
      "csrw mtvec, a1\n"
      "mv a0, sp\n"
      "j report_fault\n"
      ".balign 4\n"
      "1: j 1b\n" ::"i"(fault_stack + sizeof fault_stack / sizeof *fault_stack - 8));
}
#undef LOCKSTEP_STORE
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
