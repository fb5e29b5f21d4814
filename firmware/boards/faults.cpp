// Every fault and every exception that nobody asked for ends here: the motors first, then a record
// that outlives the reset, a report, the reset. Faults that come again and again end in a halt.
#include "boards/faults.hpp"

#include "boards/board.hpp"
#include "boards/cortex_m.hpp"
#include "boards/port.hpp"
#include "boards/text.hpp"

extern "C" std::uint32_t __ram_start, __ram_end;

namespace lockstep::board {

namespace {

[[gnu::section(".noinit")]] FaultRecord fault_record;
[[gnu::section(".noinit")]] std::uint32_t step_low, step_high;
[[gnu::section(".noinit"), gnu::used]] alignas(8) std::uint8_t fault_stack[512];
constexpr std::uint32_t kMostResets = 3;  // in a row; after them it halts

// What the CPU could not push is not there: the stack was full, or its pointer wrong.
std::uint32_t pushed_word(const std::uint32_t* pushed, int i) {
  const auto word = reinterpret_cast<std::uintptr_t>(pushed + i);
  const bool there = word >= reinterpret_cast<std::uintptr_t>(&__ram_start) &&
                     word < reinterpret_cast<std::uintptr_t>(&__ram_end) && word % 4 == 0;
  return there ? register_at(word) : 0;
}

std::uint32_t current_exception() {
  std::uint32_t ipsr = 0;
  asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  return ipsr & 0x1FF;
}

}  // namespace

const FaultRecord* fault() {
  return fault_record.mark == FaultRecord::kValid ? &fault_record : nullptr;
}
void forget_fault() { fault_record.mark = 0; }
void note_step(std::uint64_t step) {
  step_low = static_cast<std::uint32_t>(step);
  step_high = static_cast<std::uint32_t>(step >> 32);
}

extern "C" [[gnu::used, noreturn]] void report_fault(const std::uint32_t* pushed) {
  port::make_safe();
  FaultRecord& r = fault_record;
  const std::uint32_t count = fault() == nullptr ? 1 : r.count + 1;
  r = {.mark = FaultRecord::kValid,
       .exception = current_exception(),
       .r0 = pushed_word(pushed, 0),
       .r1 = pushed_word(pushed, 1),
       .r2 = pushed_word(pushed, 2),
       .r3 = pushed_word(pushed, 3),
       .r12 = pushed_word(pushed, 4),
       .lr = pushed_word(pushed, 5),
       .pc = pushed_word(pushed, 6),
       .xpsr = pushed_word(pushed, 7),
       .frame = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pushed)),
       .cfsr = register_at(kConfigurableFault),
       .hfsr = register_at(kHardFault),
       .mmfar = register_at(kMemoryFaultAddress),
       .bfar = register_at(kBusFaultAddress),
       .count = count,
       .step_low = step_low,
       .step_high = step_high};
  const struct {
    std::string_view name;
    std::uint32_t value;
  } lines[] = {{"pc", r.pc},    {"lr", r.lr},     {"frame", r.frame}, {"xpsr", r.xpsr},
               {"r0", r.r0},    {"r1", r.r1},     {"r2", r.r2},       {"r3", r.r3},
               {"r12", r.r12},  {"cfsr", r.cfsr}, {"hfsr", r.hfsr},   {"mmfar", r.mmfar},
               {"bfar", r.bfar}};
  write("fault ");
  write_decimal(r.exception);
  for (const auto& line : lines) {
    write(" ");
    write(line.name);
    write(" 0x");
    write_hex(line.value, 8);
  }
  write("\n");
  if (count >= kMostResets) halt(1);
  asm volatile("dsb" ::: "memory");
  register_at(kApplicationInterrupt) = kVectorKey | kSystemReset;
  for (;;) {
  }
}

// The registers are on the stack that was in use; bit 2 of lr tells which. That stack may be what
// is broken: the handler has its own.
extern "C" [[gnu::naked]] void fault_handler() {
  asm volatile(
      "tst lr, #4\n"
      "ite eq\n"
      "mrseq r0, msp\n"
      "mrsne r0, psp\n"
#if __ARM_ARCH >= 8
      "movs r1, #0\n"
      "msr msplim, r1\n"
#endif
      "ldr r1, =%c0\n"
      "msr msp, r1\n"
      "b report_fault\n" ::"i"(fault_stack + sizeof fault_stack));
}

}  // namespace lockstep::board
