// Every fault and every exception that nobody asked for ends here: a record, a report, a halt.
#include "boards/faults.hpp"

#include <iterator>

#include "boards/board.hpp"
#include "boards/cortex_m.hpp"
#include "boards/text.hpp"

namespace lockstep::board {

[[gnu::section(".noinit")]] FaultRecord fault_record;

namespace {

std::uint32_t current_exception() {
  std::uint32_t ipsr = 0;
  asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  return ipsr & 0x1FF;
}

}  // namespace

extern "C" [[gnu::used, noreturn]] void report_fault(const std::uint32_t* pushed) {
  FaultRecord& r = fault_record;
  r = {.mark = FaultRecord::kValid,
       .exception = current_exception(),
       .r0 = pushed[0],
       .r1 = pushed[1],
       .r2 = pushed[2],
       .r3 = pushed[3],
       .r12 = pushed[4],
       .lr = pushed[5],
       .pc = pushed[6],
       .xpsr = pushed[7],
       .frame = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pushed)),
       .cfsr = register_at(kConfigurableFault),
       .hfsr = register_at(kHardFault),
       .mmfar = register_at(kMemoryFaultAddress),
       .bfar = register_at(kBusFaultAddress)};
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
  halt(1);
}

// The registers are on the stack that was in use; bit 2 of lr tells which.
extern "C" [[gnu::naked]] void fault_handler() {
  asm volatile(
      "tst lr, #4\n"
      "ite eq\n"
      "mrseq r0, msp\n"
      "mrsne r0, psp\n"
      "b report_fault\n");
}

}  // namespace lockstep::board
