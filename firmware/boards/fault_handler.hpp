// Between faults.cpp, which is every CPU's, and what is a CPU's own: how a fault enters, what its
// registers tell, how it resets.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "boards/faults.hpp"

namespace lockstep::board {

// The stack that was in use may be what is broken: a handler has its own.
extern std::uintptr_t fault_stack[128];

// Where every handler ends. `frame`: registers as they were, wherever the CPU or its handler put
// them.
extern "C" [[noreturn]] void report_fault(const std::uintptr_t* frame);

// The CPU's own. Mark, count and step are not: faults.cpp fills them in.
FaultRecord read_fault(const std::uintptr_t* frame);
[[noreturn]] void reset();  // keeps the RAM; of a RISC-V, the board's own

struct FaultWord {  // in the order of the report
  std::string_view name;
  std::uintptr_t FaultRecord::*value;
};
extern const std::span<const FaultWord> kFaultWords;

}  // namespace lockstep::board
