// From a CPU that is ready to the application, for all of them: .data and .bss, constructors, a
// painted stack and its guard, the board.
#include "boards/start_up.hpp"

#include "boards/board.hpp"

extern "C" {
extern std::uint32_t __stack_top, __paint_start, __data_start, __data_end, __data_load, __bss_start,
    __bss_end;
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();
}

namespace lockstep::board {

namespace {

constexpr std::uint32_t kPaint = 0xC0FFEE5A;

}  // namespace

extern "C" [[gnu::used]] void run_image() {
  const std::uint32_t* from = &__data_load;
  for (std::uint32_t* to = &__data_start; to != &__data_end; ++to, ++from) *to = *from;
  for (std::uint32_t* to = &__bss_start; to != &__bss_end; ++to) *to = 0;
  for (auto construct = __init_array_start; construct != __init_array_end; ++construct) {
    (*construct)();
  }
  register std::uint32_t* sp asm("sp");
  const std::uint32_t* here = nullptr;
  asm volatile("" : "=r"(here) : "0"(sp));
  for (std::uint32_t* word = &__paint_start; word < here; ++word) *word = kPaint;
  guard_stack();  // behind the paint
  start();
  halt(application());
}

std::uint32_t stack_bytes() {
  const volatile std::uint32_t* word = &__paint_start;
  while (word != &__stack_top && *word == kPaint) ++word;
  return static_cast<std::uint32_t>(&__stack_top - word) * sizeof(std::uint32_t);
}

}  // namespace lockstep::board
