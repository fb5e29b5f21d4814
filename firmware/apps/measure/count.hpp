// Exact counts of the instructions of one call, in an emulator that takes a fixed time for each
// (-icount shift=8: 256 ns), and of the stack it touches.
#pragma once

#include <cstdint>

namespace lockstep::measure {

using Call = void (*)(void*);

inline constexpr std::uint32_t kTooMany = 0xFFFFFFFF;  // beyond two million

void start_counting();
std::uint32_t instructions_of(Call call);  // from the call to the return, both included
std::uint32_t stack_of(Call call);         // bytes below the caller's stack pointer
bool counts_exactly();                     // whether calls of known length are counted as such

}  // namespace lockstep::measure
