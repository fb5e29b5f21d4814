#include "loop/loop_state.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::firmware;
using enum lockstep::link::LoopState;

namespace {

StateMachine machine_in(LoopState state) {
  StateMachine machine;
  if (state != kBoot) CHECK_TRUE(Status::kOk == machine.take_model());
  if (state == kRunning || state == kSafe) CHECK_TRUE(Status::kOk == machine.start());
  if (state == kSafe) machine.go_safe(Status::kOverflow);
  CHECK_TRUE(machine.is(state));
  return machine;
}

using Verb = Status (StateMachine::*)();
void check_leads(Verb verb, LoopState from, LoopState to) {
  StateMachine machine = machine_in(from);
  CHECK_TRUE(Status::kOk == (machine.*verb)());
  CHECK_TRUE(machine.is(to));
}
void check_refuses(Verb verb, LoopState state) {
  StateMachine machine = machine_in(state);
  CHECK_TRUE(Status::kNotNow == (machine.*verb)());
  CHECK_TRUE(machine.is(state));
}

}  // namespace

TEST_GROUP(LoopState){};

TEST(LoopState, AModelComesAndGoesUnlessTheLoopRuns) {
  for (const Verb verb : {&StateMachine::take_model, &StateMachine::lose_model}) {
    const LoopState to = verb == &StateMachine::take_model ? kReady : kBoot;
    check_leads(verb, kBoot, to);
    check_leads(verb, kReady, to);
    check_refuses(verb, kRunning);
    check_refuses(verb, kSafe);
  }
}

TEST(LoopState, OnlyReadyStarts) {
  check_leads(&StateMachine::start, kReady, kRunning);
  for (const LoopState state : {kBoot, kRunning, kSafe}) {
    check_refuses(&StateMachine::start, state);
  }
}

TEST(LoopState, StopLeadsToReadyFromEverywhereButBoot) {
  for (const LoopState state : {kReady, kRunning, kSafe}) {
    check_leads(&StateMachine::stop, state, kReady);
  }
  check_refuses(&StateMachine::stop, kBoot);
}

TEST(LoopState, OnlyARunningLoopGoesSafe) {
  for (const LoopState state : {kBoot, kReady}) {
    StateMachine machine = machine_in(state);
    machine.go_safe(Status::kWatchdog);
    CHECK_TRUE(machine.is(state));
    CHECK_TRUE(Status::kOk == machine.reason());
  }
  StateMachine machine = machine_in(kRunning);
  machine.go_safe(Status::kWatchdog);
  CHECK_TRUE(machine.is(kSafe));
  CHECK_TRUE(Status::kWatchdog == machine.reason());
  machine.go_safe(Status::kOverrun);  // the first reason is the one that counts
  CHECK_TRUE(Status::kWatchdog == machine.reason());
  CHECK_TRUE(Status::kOk == machine.stop());
  CHECK_TRUE(Status::kWatchdog == machine.reason());
}

TEST_GROUP(Watchdog){};

TEST(Watchdog, WithoutALimitItNeverExpires) {
  Watchdog watchdog;
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(watchdog.pass(0xFFFFFFFF));
}

TEST(Watchdog, ExpiresAtItsLimitAndStaysSoUntilItIsFed) {
  for (const std::uint32_t limit : {1u, 2u, 7u}) {
    Watchdog watchdog;
    watchdog.set_limit(limit);
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t i = 1; i < limit; ++i) CHECK_FALSE(watchdog.pass(1));
      for (int i = 0; i < 5; ++i) CHECK_TRUE(watchdog.pass(1));
      watchdog.feed();
    }
  }
}

TEST(Watchdog, MissedTicksCount) {
  Watchdog watchdog;
  watchdog.set_limit(10);
  CHECK_FALSE(watchdog.pass(4));
  CHECK_FALSE(watchdog.pass(5));
  CHECK_TRUE(watchdog.pass(0xFFFFFFFF));
}

TEST(Watchdog, ASmallerLimitBeginsAnew) {
  Watchdog watchdog;
  watchdog.set_limit(10);
  CHECK_FALSE(watchdog.pass(9));
  watchdog.set_limit(3);
  CHECK_FALSE(watchdog.pass(2));
  CHECK_TRUE(watchdog.pass(1));
}
