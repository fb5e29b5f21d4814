// What a board need not have. Each is weak: a board that has it defines it.
#include "boards/board.hpp"
#include "boards/port.hpp"
#include "lockstep_build_id.hpp"

namespace lockstep::board {

[[gnu::weak]] LineErrors line_errors() { return {}; }
[[gnu::weak]] link::LatenessReply lateness() { return {.status = Status::kUnknownMessage}; }
[[gnu::weak]] bool is_line_closed() { return false; }
[[gnu::weak]] link::ResetReason reset_reason() { return link::ResetReason::kUnknown; }
[[gnu::weak]] void feed_watchdog() {}
[[gnu::weak]] const FaultRecord* fault() { return nullptr; }
[[gnu::weak]] void forget_fault() {}
[[gnu::weak]] void note_step(std::uint64_t) {}

const std::uint32_t kBuildId = LOCKSTEP_BUILD_ID;

}  // namespace lockstep::board

// Images without motors have nothing to make safe.
[[gnu::weak]] void lockstep::port::make_safe() {}
