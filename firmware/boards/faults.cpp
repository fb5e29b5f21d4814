// Every fault and every exception that nobody asked for ends here: the motors first, then a record
// that outlives the reset, a report, the reset. Faults that come again and again end in a halt.
#include "boards/board.hpp"
#include "boards/fault_handler.hpp"
#include "boards/port.hpp"
#include "boards/text.hpp"

namespace lockstep::board {

[[gnu::section(".noinit")]] alignas(16) std::uintptr_t fault_stack[128];

namespace {

[[gnu::section(".noinit")]] FaultRecord fault_record;
[[gnu::section(".noinit")]] std::uint32_t step_low, step_high;
constexpr std::uint32_t kMostResets = 3;  // in a row; after them it halts

}  // namespace

const FaultRecord* fault() {
  return fault_record.mark == FaultRecord::kValid ? &fault_record : nullptr;
}
void forget_fault() { fault_record.mark = 0; }
void note_step(std::uint64_t step) {
  step_low = static_cast<std::uint32_t>(step);
  step_high = static_cast<std::uint32_t>(step >> 32);
}

extern "C" [[gnu::used]] void report_fault(const std::uintptr_t* frame) {
  port::make_safe();
  FaultRecord& r = fault_record;
  const std::uint32_t count = fault() == nullptr ? 1 : r.count + 1;
  r = read_fault(frame);
  r.count = count;
  r.step_low = step_low;
  r.step_high = step_high;
  r.mark = FaultRecord::kValid;
  write("fault ");
  write_decimal(r.exception);
  for (const FaultWord& word : kFaultWords) {
    write(" ");
    write(word.name);
    write(" 0x");
    write_hex(r.*word.value, 2 * sizeof(std::uintptr_t));
  }
  write("\n");
  if (count >= kMostResets) halt(1);
  reset();
}

}  // namespace lockstep::board
