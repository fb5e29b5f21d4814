// The record of a fault as a message; of a RISC-V of 64 bits the lower halves.
#pragma once

#include <cstdint>

#include "boards/faults.hpp"
#include "lockstep/link/messages.hpp"

namespace lockstep::firmware {

// `record` may be null: there is none.
inline link::FaultReply fault_reply(const board::FaultRecord* record, link::LoopState state) {
  if (record == nullptr) return {.status = Status::kOk, .state = state};
  const auto low = [](std::uintptr_t word) { return static_cast<std::uint32_t>(word); };
  return {.status = Status::kOk,
          .state = state,
          .there = true,
          .count = record->count,
          .step = std::uint64_t{record->step_high} << 32 | record->step_low,
          .exception = record->exception,
          .cpu = record->cpu,
          .pc = low(record->pc),
          .lr = low(record->lr),
          .xpsr = low(record->xpsr),
          .r0 = low(record->r0),
          .r1 = low(record->r1),
          .r2 = low(record->r2),
          .r3 = low(record->r3),
          .r12 = low(record->r12),
          .frame = low(record->frame),
          .cfsr = low(record->cfsr),
          .hfsr = low(record->hfsr),
          .mmfar = low(record->mmfar),
          .bfar = low(record->bfar)};
}

}  // namespace lockstep::firmware
