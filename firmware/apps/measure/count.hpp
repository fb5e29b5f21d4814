// Counts of the instructions of one call, in an emulator that takes a fixed time for each
// (-icount), and of the stack it touches. Exact with 256 ns an instruction, for two million of
// them; to a tick of the clock with 4 ns, for a hundred million.
#pragma once

#include <cstdint>

namespace lockstep::measure {

using Call = void (*)(void*);

inline constexpr std::uint32_t kTooMany = 0xFFFFFFFF;  // beyond the counter

void start_counting();
std::uint32_t instructions_of(Call call);  // from the call to the return, both included
std::uint32_t stack_of(Call call);         // bytes below the caller's stack pointer
bool counts_right();                       // whether calls of known length are counted as such

}  // namespace lockstep::measure
