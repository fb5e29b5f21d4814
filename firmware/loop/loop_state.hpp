// The states of the loop and what leads from one to the next:
//
//   boot --a model is there--> ready --start--> running --anything wrong--> safe
//                                ^------stop------'                           |
//                                ^--------------------stop--------------------'
//
// Only a host that asks leads out of safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lockstep/link/message.hpp"
#include "lockstep/status.hpp"

namespace lockstep::firmware {

using link::LoopState;

class StateMachine {
 public:
  LoopState state() const { return state_; }
  bool is(LoopState state) const { return state_ == state; }
  Status reason() const { return reason_; }  // why it is safe, or was safe last

  // A model arrives or leaves; not under a running loop.
  Status lose_model() { return leave_for(LoopState::kBoot); }
  Status take_model() { return leave_for(LoopState::kReady); }

  Status start() {
    if (state_ != LoopState::kReady) return Status::kNotNow;
    state_ = LoopState::kRunning;
    return Status::kOk;
  }
  Status stop() {
    if (state_ == LoopState::kBoot) return Status::kNotNow;
    state_ = LoopState::kReady;
    return Status::kOk;
  }
  void go_safe(Status reason) {
    if (state_ != LoopState::kRunning) return;
    state_ = LoopState::kSafe;
    reason_ = reason;
  }

 private:
  Status leave_for(LoopState state) {
    if (state_ == LoopState::kRunning || state_ == LoopState::kSafe) return Status::kNotNow;
    state_ = state;
    return Status::kOk;
  }

  LoopState state_ = LoopState::kBoot;
  Status reason_ = Status::kOk;
};

// Counts ticks since the last command.
class Watchdog {
 public:
  void set_limit(std::uint32_t ticks) { limit_ = ticks, silent_ = 0; }  // 0: never expires
  void feed() { silent_ = 0; }
  // So many ticks later, missed ones included: true when no command came for the limit.
  bool pass(std::uint32_t ticks) {
    silent_ += std::min(ticks, limit_ - silent_);
    return limit_ != 0 && silent_ == limit_;
  }

 private:
  std::uint32_t limit_ = 0, silent_ = 0;
};

// Missed ticks in a leaky bucket: it holds so many, and forgets one each so many punctual ticks. So
// a steady overload fills it, however often a tick is punctual in between.
class MissedTicks {
 public:
  void set(std::uint16_t allowed, std::uint16_t forgotten) {
    allowed_ = allowed, forgotten_ = forgotten;
  }
  void start() { level_ = 0; }
  // So many ticks have come since the last turn: true when more were missed than are allowed.
  bool pass(std::uint32_t ticks) {
    const std::uint64_t full = std::uint64_t{allowed_} * forgotten_;
    level_ = ticks > 1 ? std::min(level_ + std::uint64_t{ticks - 1} * forgotten_, full + 1)
                       : level_ - (level_ != 0 ? 1 : 0);
    return level_ > full;
  }

 private:
  std::uint16_t allowed_ = 10, forgotten_ = 1000;
  std::uint64_t level_ = 0;  // a missed tick is `forgotten_`
};

}  // namespace lockstep::firmware
