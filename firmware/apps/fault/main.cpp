// Executes an undefined instruction: the report must name its address, which nm tells as well.
// After the reset it finds the record of the fault, and then fills its stack until that leaves the
// RAM; then it hangs, where a hardware watchdog notices.
#include "boards/board.hpp"
#include "boards/port.hpp"
#include "boards/text.hpp"

#if defined(__riscv)
extern "C" [[gnu::naked]] void undefined_instruction() { asm volatile("unimp"); }
extern "C" [[gnu::naked]] void hang() { asm volatile("unimp"); }  // its board has no watchdog
#else
extern "C" [[gnu::naked]] void undefined_instruction() { asm volatile("udf #0"); }
extern "C" [[gnu::naked]] void hang() { asm volatile("b ."); }
#endif

// Stands in for motors: the handler must have called it before it says anything.
void lockstep::port::make_safe() { board::write("motors off\n"); }

namespace {

[[gnu::noinline]] std::uint32_t fill_stack(std::uint32_t depth) {
  volatile std::uint32_t frame[64];
  frame[depth % 64] = depth;
  return depth == ~0u ? 0 : fill_stack(depth + 1) + frame[depth % 64];
}

}  // namespace

int lockstep::board::application() {
  if (const FaultRecord* record = fault()) {
    write("after fault ");
    write_decimal(record->exception);
    write(" number ");
    write_decimal(record->count);
    write(" at step ");
    write_decimal(std::uint64_t{record->step_high} << 32 | record->step_low);
    write("\n");
    note_step(43);
    if (record->count > 1) {
      feed_watchdog();
      hang();
    }
    return static_cast<int>(fill_stack(0));
  }
  note_step(std::uint64_t{1} << 32 | 42);
  write("about to fault\n");
  undefined_instruction();
  write("nothing happened\n");
  return 0;
}
