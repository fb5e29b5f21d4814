// What a fault leaves behind, in memory that a reset does not clear. A RISC-V keeps what compares
// in the same places.
#pragma once

#include <cstdint>

#include "lockstep/link/message.hpp"

namespace lockstep::board {

struct FaultRecord {
  static constexpr std::uint32_t kValid = 0xFA017ACE;  // in `mark`: the rest has a meaning

  std::uint32_t mark;
  std::uint16_t exception;                 // 3 hard fault, 4 memory, 5 bus, 6 usage, ...; mcause
  link::Cpu cpu;                           // whose numbers these are
  std::uintptr_t r0, r1, r2, r3, r12;      // as the CPU pushed them; a0 to a4
  std::uintptr_t lr, pc, xpsr;             // pc: where it happened; ra, mepc, mstatus
  std::uintptr_t frame;                    // where it pushed them; sp
  std::uintptr_t cfsr, hfsr, mmfar, bfar;  // why, in the CPU's words; mmfar: mtval, others 0
  std::uint32_t count;                     // since power came, or the record was forgotten
  std::uint32_t step_low, step_high;       // that the loop was at
};

}  // namespace lockstep::board
