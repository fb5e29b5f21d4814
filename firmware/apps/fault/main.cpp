// Executes an undefined instruction: the report must name its address, which nm tells as well.
#include "boards/board.hpp"
#include "boards/text.hpp"

#if defined(__riscv)
extern "C" [[gnu::naked]] void undefined_instruction() { asm volatile("unimp"); }
#else
extern "C" [[gnu::naked]] void undefined_instruction() { asm volatile("udf #0"); }
#endif

int lockstep::board::application() {
  write("about to fault\n");
  undefined_instruction();
  write("nothing happened\n");
  return 0;
}
