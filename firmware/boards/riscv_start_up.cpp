// The reset of every RISC-V in machine mode: stack, FPU on, traps, a guard for the stack.
#include "boards/start_up.hpp"

// A locked region of the PMP, without permissions. Where there is no PMP the first access is an
// illegal instruction, and the trap leads to the end; where its grain is coarser, the address reads
// otherwise and there is no guard but the RAM's end.
void lockstep::board::guard_stack() {
  constexpr std::uintptr_t kNaturallyAligned = 3u << 3, kLocked = 1u << 7;
  const std::uintptr_t region =
      reinterpret_cast<std::uintptr_t>(&__stack_limit) >> 2 | (512 / 8 - 1);
  asm volatile(
      "la t0, 1f\n"
      "csrrw t0, mtvec, t0\n"
      "csrw pmpaddr0, %0\n"
      "csrw pmpcfg0, %1\n"
      "csrr t1, pmpaddr0\n"
      "bne t1, %0, 1f\n"
      "csrw pmpcfg0, %2\n"
      ".balign 4\n"
      "1: csrw mtvec, t0\n" ::"r"(region),
      "r"(kNaturallyAligned), "r"(kNaturallyAligned | kLocked)
      : "t0", "t1", "memory");
}

// First in memory: where the CPU begins. mstatus.FS 1: FPU on; fcsr 0: round to nearest, which the
// start of a loop checks by computing. Interrupts are off after reset; mtvec's lowest bit: a vector
// for each. Other harts wait for ever.
extern "C" [[gnu::naked, gnu::section(".vectors"), gnu::used]] void reset_handler() {
  asm volatile(
      "csrr t0, mhartid\n"
      "1: bnez t0, 1b\n"
      "la sp, __stack_top\n"
      "li t0, 0x2000\n"
      "csrs mstatus, t0\n"
      "csrw fcsr, zero\n"
      "la t0, trap_vectors\n"
      "ori t0, t0, 1\n"
      "csrw mtvec, t0\n"
      "j run_image\n");
}
