// The counts of count.hpp on a RISC-V: minstret, which the emulator keeps in its own nanoseconds.
#include "count.hpp"

#if __riscv_xlen == 64
#define LOAD "ld"
#define STORE "sd"
#else
#define LOAD "lw"
#define STORE "sw"
#endif

namespace lockstep::measure {

namespace {

constexpr std::uint32_t kNanoseconds = LOCKSTEP_MEASURE_NANOSECONDS;  // an instruction
constexpr std::uint32_t kPaint = 0xC0FFEE5A;
constexpr std::uint32_t kPaintedWords = 16384;
constexpr std::uintptr_t kMost = 1u << 31;  // half of what a counter of 32 bits holds

// Between two readings with nothing but the call in between.
[[gnu::naked]] std::uintptr_t time_of(Call) {
  asm volatile("addi sp, sp, -16\n" STORE " s0, 0(sp)\n" STORE
               " ra, 8(sp)\n"
               "mv t0, a0\n"
               "csrr s0, minstret\n"
               "jalr t0\n"
               "csrr a0, minstret\n"
               "sub a0, a0, s0\n" LOAD " s0, 0(sp)\n" LOAD
               " ra, 8(sp)\n"
               "addi sp, sp, 16\n"
               "ret\n");
}

template <int kCount>
[[gnu::naked]] void nops(void*) {
  asm volatile(
      ".rept %0\n nop\n .endr\n"
      "ret\n" ::"i"(kCount));
}

}  // namespace

void start_counting() {}  // it always does

std::uint32_t instructions_of(Call call) {
  const std::uintptr_t time = time_of(call);
  if (time >= kMost) return kTooMany;
  return static_cast<std::uint32_t>(time) / kNanoseconds - 1;  // less one: the second reading
}

[[gnu::noinline]] std::uint32_t stack_of(Call call) {
  volatile std::uint32_t* top = nullptr;
  asm volatile("mv %0, sp" : "=r"(top));
  for (std::uint32_t i = 1; i <= kPaintedWords; ++i) *(top - i) = kPaint;
  call(nullptr);
  std::uint32_t words = kPaintedWords;
  while (words != 0 && *(top - words) == kPaint) --words;
  return 4 * words;
}

bool counts_right() {
  const auto right = [](Call call, std::uint32_t length) {
    return instructions_of(call) == length;
  };
  return right(nops<0>, 2) && right(nops<1>, 3) && right(nops<2>, 4) && right(nops<100>, 102) &&
         right(nops<4999>, 5001) && right(nops<20000>, 20002);
}

}  // namespace lockstep::measure
