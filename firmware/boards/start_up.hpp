// Between start_up.cpp, which is every CPU's, and the reset handler of one.
#pragma once

#include <cstdint>

extern "C" std::uint32_t __stack_top, __stack_limit;  // of sections.ld, as others in start_up.cpp
extern "C" void reset_handler();

namespace lockstep::board {

// Where the reset handler ends, with stack and FPU in order. Apart from it: the compiler may use
// both here.
extern "C" [[noreturn]] void run_image();

// The CPU's own: from here on 512 bytes from __stack_limit on fault when they are touched. Their
// address is a multiple of 512.
void guard_stack();

}  // namespace lockstep::board
