// Measures forward dynamics over many states and reports one line a figure: instructions of the
// shortest and the longest call, stack, and a hash of all answers for the host to compare.
#include "boards/board.hpp"
#include "boards/text.hpp"
#include "count.hpp"
#include "dynamics.hpp"
#include "states.hpp"
#include "system.hpp"

namespace {

using namespace lockstep;

void report(std::string_view name, std::uint64_t value) {
  board::write(name);
  board::write(" ");
  board::write_decimal(value);
  board::write("\n");
}

void report_of_state(int state, std::uint32_t count) {
  board::write("state_");
  board::write_decimal(static_cast<std::uint64_t>(state));
  report("", count);
}

}  // namespace

int lockstep::board::application() {
  measure::start_counting();
  if (!measure::counts_right()) {
    board::write("error calls of known length are not counted as such\n");
    return 1;
  }
  measure::prepare();

  const measure::Input in = measure::input();
  measure::Random random, first;
  measure::next_state<measure::Scalar>(first, measure::bodies(), in);
  const std::uint32_t stack = measure::stack_of(measure::step);
  measure::prepare();  // a step remembers the one before it

  Hash hash;
  std::uint32_t least = ~0u, most = 0, refused = 0;
  for (int i = 0; i < LOCKSTEP_MEASURE_STATES; ++i) {
    measure::next_state<measure::Scalar>(random, measure::bodies(), in);
    const std::uint32_t count = measure::instructions_of(measure::step);
    const bool answered = measure::status() == Status::kOk;
    least = answered && count < least ? count : least;
    most = count > most ? count : most;
    refused += answered ? 0 : 1;
    measure::add_answer(hash, measure::status(), measure::output());
    if (LOCKSTEP_MEASURE_ROWS && i < measure::kToldStates) report_of_state(i, count);
  }
  if (most == measure::kTooMany) {
    board::write("error a call is too long to be counted\n");
    return 1;
  }
#if LOCKSTEP_MEASURE_SYSTEM
  report("system", measure::instructions_of_system());
#endif
  report("states", LOCKSTEP_MEASURE_STATES);
  report("least", least);
  report("most", most);
  report("refused", refused);
  report("touched_stack", stack);
  board::write("hash 0x");
  board::write_hex(hash.value(), 16);
  board::write("\n");
  return 0;
}
