// From any state of the loop by any event: it begins to run only from ready and only when asked,
// and leaves safe only by stop. A watchdog and missed ticks of any setting stay within their
// bounds. memory 1024
#include "proof.hpp"
#define private public
#include "loop/loop_state.hpp"
#undef private

using namespace lockstep;
using namespace lockstep::firmware;
using enum lockstep::link::LoopState;

PROOF {
  StateMachine machine;
  const auto before = static_cast<LoopState>(any<std::uint8_t>() % 4);
  machine.state_ = before;
  enum { kStart, kStop, kLose, kTake, kSafely };
  const int event = any<std::uint8_t>() % 5;
  Status status = Status::kOk;
  switch (event) {
    case kStart: status = machine.start(); break;
    case kStop: status = machine.stop(); break;
    case kLose: status = machine.lose_model(); break;
    case kTake: status = machine.take_model(); break;
    default: machine.go_safe(Status::kWatchdog);
  }
  const LoopState after = machine.state();
  must(after <= kSafe);
  must(status == Status::kOk || after == before);
  if (after == kRunning && before != kRunning) must(before == kReady && event == kStart);
  if (before == kSafe && after != kSafe) must(event == kStop && after == kReady);
  if (before == kRunning && after != kRunning)
    must(event == kStop || (event == kSafely && after == kSafe));
  if (after == kSafe && before != kSafe) must(machine.reason() == Status::kWatchdog);

  Watchdog watchdog;
  watchdog.limit_ = any<std::uint32_t>();
  watchdog.silent_ = any<std::uint32_t>();
  assume(watchdog.silent_ <= watchdog.limit_);
  const std::uint32_t silent = watchdog.silent_, ticks = any<std::uint32_t>();
  const bool expired = watchdog.pass(ticks);
  must(watchdog.silent_ <= watchdog.limit_ && watchdog.silent_ >= silent);
  must(expired == (watchdog.limit_ != 0 && ticks >= watchdog.limit_ - silent));

  MissedTicks missed;
  missed.set(any<std::uint16_t>(), any<std::uint16_t>());
  const std::uint64_t full = std::uint64_t{missed.allowed_} * missed.forgotten_;
  missed.level_ = any<std::uint64_t>();
  assume(missed.level_ <= full + 1);
  const std::uint64_t level = missed.level_;
  const bool many = missed.pass(ticks);
  must(missed.level_ <= full + 1 && many == (missed.level_ > full));
  if (ticks > 1) must(missed.level_ >= level);
}
