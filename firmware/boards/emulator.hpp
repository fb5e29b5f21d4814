// How an emulated board ends: Arm semihosting, SYS_EXIT_EXTENDED. Never used in a loop.
#pragma once

#include <cstdint>

namespace lockstep::board {

[[noreturn]] inline void end_emulation(int exit_code) {
  constexpr std::uint32_t kExitExtended = 0x20, kApplicationExit = 0x20026;
  const std::uint32_t reason[2] = {kApplicationExit, static_cast<std::uint32_t>(exit_code)};
  register std::uint32_t operation asm("r0") = kExitExtended;
  register const std::uint32_t* parameters asm("r1") = reason;
  asm volatile("bkpt 0xAB" : "+r"(operation) : "r"(parameters) : "memory");
  for (;;) {
  }
}

}  // namespace lockstep::board
