// What a fault leaves behind, in memory that a reset does not clear.
#pragma once

#include <cstdint>

namespace lockstep::board {

struct FaultRecord {
  static constexpr std::uint32_t kValid = 0xFA017ACE;  // in `mark`: the rest has a meaning

  std::uint32_t mark;
  std::uint32_t exception;                // 3 hard fault, 4 memory, 5 bus, 6 usage, ...
  std::uint32_t r0, r1, r2, r3, r12;      // as the CPU pushed them
  std::uint32_t lr, pc, xpsr;             // pc: where it happened
  std::uint32_t frame;                    // where it pushed them
  std::uint32_t cfsr, hfsr, mmfar, bfar;  // why, in the CPU's words
  std::uint32_t count;                    // since power came, or the record was forgotten
  std::uint32_t step_low, step_high;      // that the loop was at
};

}  // namespace lockstep::board
