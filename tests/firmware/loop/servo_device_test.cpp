// An arm behind a fake port: what is measured, how old it is and what a drive says are numbers that
// tests set; the motors act on joints simulated by the plant's own stepper.
#include "loop/servo_device.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "lockstep/integrate/joint_stepper.hpp"
#include "six_axis_arm.hpp"
#include "support/conversation.hpp"
#include "support/fake_board.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;
using link::SafePolicy;

namespace {

constexpr std::size_t kJoints = 6;
using Six = std::array<float, kJoints>;
constexpr Six kEffort = {738, 738, 433, 107, 107, 107};  // of the model

struct FakePort {
  static inline Six q, v, tau;
  static inline std::uint32_t age;
  static inline Status says;
  static inline bool enabled, braked;
  static inline int writes, made_safe;
  static inline port::Rest rest;

  static void forget() {
    q.fill(0.1f), v.fill(0), tau.fill(0);
    age = 0, says = Status::kOk, enabled = braked = false, writes = made_safe = 0;
  }
  static void start(std::uint32_t joints) { LONGS_EQUAL(kJoints, joints); }
  static Status read(std::span<float> to_q, std::span<float> to_v, std::uint32_t& to_age) {
    std::ranges::copy(q, to_q.begin());
    std::ranges::copy(v, to_v.begin());
    to_age = age;
    return says;
  }
  static void write(std::span<const float> torque) {
    ++writes;
    std::ranges::copy(torque, tau.begin());
  }
  static void enable(bool on) { enabled = on; }
  static void set_rest(port::Rest to) { rest = to; }
  static void make_safe() {
    ++made_safe;
    enabled = false, braked = rest == port::Rest::kBrake;
    tau.fill(0);
  }
};

using Device = firmware::ServoDevice<six_axis_arm, float, FakeBoard, FakePort>;

struct ServoLine : Conversation<Device> {
  explicit ServoLine(SafePolicy policy = SafePolicy::kOff, std::uint32_t watchdog = 50) {
    FakePort::forget();
    settings = configuration<float>();
    settings.model_hash = six_axis_arm::kHash;
    settings.free_running = true;
    settings.watchdog_ticks = watchdog;
    settings.safe = policy;
    effort = kEffort, rate.fill(1e7f), lower.fill(-3), upper.fill(3), fastest.fill(2);
    CHECK_TRUE(Status::kOk == tell(settings));
    CHECK_TRUE(Status::kOk == limit());
    CHECK_TRUE(Status::kOk == judge());
    CHECK_TRUE(Status::kOk == tell(link::Start()));
    CHECK_TRUE(FakePort::enabled);
  }
  Status judge() {
    return tell(link::Servo<const float>{
        .stale = 2000, .cutoff = 200, .stiffness = stiffness, .damping = damping});
  }
  Status limit() { return tell(link::Limits<const float>{effort, rate, lower, upper, fastest}); }
  void tick(std::uint32_t ticks = 1) {
    FakeBoard::now_ticks += ticks;
    device().poll();
  }
  Status lead(const Six& goal, float duration, link::ControlLaw law, float kp, float kd) {
    const Six still{};
    return tell(link::Reference<const float>{law, kp, kd, duration, 50, goal, still, still});
  }
  // Exactly so many punctual ticks later it is safe with this reason, and motors are off.
  void check_safe_after(int ticks, Status reason) {
    for (int i = 0; i < ticks; ++i) {
      CHECK_TRUE(device().state() == kRunning);
      tick();
    }
    CHECK_TRUE(device().state() == kSafe);
    CHECK_TRUE(reason == report().safe_reason);
  }
  void check_off() {
    CHECK_FALSE(FakePort::enabled);
    for (const float torque : FakePort::tau) CHECK_TRUE(torque == 0);
    const int before = FakePort::writes;
    for (int i = 0; i < 5; ++i) tick();
    LONGS_EQUAL(before, FakePort::writes);  // and nothing is written any more
  }

  link::Configure<float> settings;
  Six effort, rate, lower, upper, fastest;
  // about 100/s^2 and 20/s by the inertia that each joint moves
  Six stiffness = {1500, 1500, 400, 10, 10, 1}, damping = {300, 300, 80, 2, 2, 0.1f};
};

// The arm that the motors move, at the rate of the ticks.
struct SimulatedArm {
  JointStepper<six_axis_arm, float> stepper;
  decltype(stepper.make_input()) state = stepper.make_input();

  void step() {
    for (std::size_t i = 0; i < kJoints; ++i) {
      state.tau[static_cast<Eigen::Index>(i)] = FakePort::enabled ? FakePort::tau[i] : 0;
    }
    CHECK_TRUE(Status::kOk == stepper.step(state, 0.001f, Integrator::kSemiImplicitEuler));
    measure();
  }
  void measure() {
    for (std::size_t i = 0; i < kJoints; ++i) {
      FakePort::q[i] = state.q[static_cast<Eigen::Index>(i)];
      FakePort::v[i] = state.v[static_cast<Eigen::Index>(i)];
    }
  }
};

}  // namespace

TEST_GROUP(ServoDevice){};

TEST(ServoDevice, FollowsAWayAndArrives) {
  for (const auto law : {link::ControlLaw::kComputedTorque, link::ControlLaw::kSprings}) {
    ServoLine line(SafePolicy::kOff, 5000);
    SimulatedArm arm;
    arm.measure();
    line.tick();
    const bool springs = law == link::ControlLaw::kSprings;
    // springs that the light wrist bears are soft for the shoulder: they hold, they do not carry
    const Six goal = springs ? Six{} : Six{0.5f, -0.4f, 0.3f, 0.6f, -0.5f, 0.4f};
    CHECK_TRUE(Status::kOk ==
               line.lead(goal, 1, law, springs ? 60.0f : 400.0f, springs ? 3.0f : 40.0f));
    for (int i = 0; i < 2000; ++i) {
      line.tick();
      arm.step();
    }
    CHECK_TRUE(line.device().state() == kRunning);
    for (std::size_t i = 0; i < kJoints; ++i) {
      DOUBLES_EQUAL(static_cast<double>(goal[i]), static_cast<double>(FakePort::q[i]), 0.01);
      DOUBLES_EQUAL(0, static_cast<double>(FakePort::v[i]), 0.02);
    }
  }
}

TEST(ServoDevice, GravityIsHeldFromTheFirstTick) {
  ServoLine line(SafePolicy::kOff, 5000);
  SimulatedArm arm;
  arm.state.q.setConstant(0.3f);
  arm.measure();
  for (int i = 0; i < 200; ++i) line.tick(), arm.step();
  CHECK_TRUE(line.device().state() == kRunning);
  for (const float x : FakePort::q) DOUBLES_EQUAL(0.3, static_cast<double>(x), 1e-3);
}

TEST(ServoDevice, ASilentHostMakesItSafeAtTheConfiguredTick) {
  ServoLine line(SafePolicy::kOff, 20);
  CHECK_TRUE(line.device().is_acting());
  line.check_safe_after(20, Status::kWatchdog);
  line.check_off();
  CHECK_FALSE(line.device().is_acting());
}

TEST(ServoDevice, WhatIsStaleBadOrBeyondLimitsMakesItSafeInTheSameTick) {
  const auto fails = [](Status reason, auto&& spoil) {
    for (const auto policy : {SafePolicy::kOff, SafePolicy::kBrake}) {
      ServoLine line(policy);
      line.tick();
      const int writes = FakePort::writes;
      spoil();
      line.check_safe_after(1, reason);
      LONGS_EQUAL(writes, FakePort::writes);
      CHECK_TRUE(FakePort::braked == (policy == SafePolicy::kBrake));
      line.check_off();
    }
  };
  fails(Status::kStale, [] { FakePort::age = 2001; });
  fails(Status::kDriveFault, [] { FakePort::says = Status::kDriveFault; });
  fails(Status::kNotFinite, [] { FakePort::q[2] = std::numeric_limits<float>::quiet_NaN(); });
  fails(Status::kNotFinite, [] { FakePort::v[5] = std::numeric_limits<float>::infinity(); });
  fails(Status::kBeyondLimits, [] { FakePort::q[1] = 3.02f; });
  fails(Status::kBeyondLimits, [] { FakePort::v[0] = -2.1f; });
}

// Drives that were just enabled may take as long to answer as a measurement may be old: 2 ms.
TEST(ServoDevice, NothingIsWrittenBeforeTheFirstMeasurement) {
  for (const int late : {1, 3}) {
    ServoLine line;
    FakePort::age = ~std::uint32_t{0};
    for (int i = 0; i < late; ++i) line.tick();
    LONGS_EQUAL(0, FakePort::writes);
    FakePort::age = 0;
    line.tick();
    CHECK_TRUE(line.device().state() == (late == 1 ? kRunning : kSafe));
    LONGS_EQUAL(late == 1 ? 1 : 0, FakePort::writes);
    if (late == 3) CHECK_TRUE(Status::kStale == line.report().safe_reason);
  }
}

TEST(ServoDevice, ALateLoopMakesItSafe) {
  ServoLine line(SafePolicy::kOff, 5000);
  for (int i = 0; i < 10; ++i) line.tick(2);
  CHECK_TRUE(line.device().state() == kRunning);
  line.tick(2);
  CHECK_TRUE(Status::kOverrun == line.report().safe_reason);
  line.check_off();
}

TEST(ServoDevice, StopReleases) {
  ServoLine line;
  line.tick();
  CHECK_TRUE(FakePort::enabled && FakePort::writes == 1);
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  LONGS_EQUAL(1, FakePort::made_safe);
  line.check_off();
}

TEST(ServoDevice, DampTakesTheMotionAwayAndHoldStays) {
  for (const auto policy : {SafePolicy::kDamp, SafePolicy::kHold}) {
    ServoLine line(policy, 3);
    SimulatedArm arm;
    arm.state.q.setConstant(0.2f);
    arm.state.v.setConstant(policy == SafePolicy::kDamp ? 0.5f : 0.0f);
    arm.measure();
    for (int i = 0; i < 3; ++i) line.tick(), arm.step();
    CHECK_TRUE(line.device().state() == kSafe && FakePort::enabled && line.device().is_acting());
    const float before = FakePort::v[0], place = FakePort::q[1];
    for (int i = 0; i < 300; ++i) line.tick(), arm.step();
    if (policy == SafePolicy::kDamp) {
      CHECK_TRUE(std::abs(FakePort::v[0]) < std::abs(before));
    } else {
      DOUBLES_EQUAL(static_cast<double>(place), static_cast<double>(FakePort::q[1]), 0.02);
    }
    FakePort::age = 10'000;  // what cannot be measured is not held
    line.tick();
    line.check_off();
    CHECK_FALSE(line.device().is_acting());
  }
}

// The velocity that damps is the one of now, also of a joint that went beyond its limits.
TEST(ServoDevice, BeyondItsLimitsItIsDampedByItsPresentVelocity) {
  ServoLine line(SafePolicy::kDamp);
  line.tick();
  FakePort::q[0] = 3.1f, FakePort::v[0] = 1;
  for (int i = 0; i < 30; ++i) line.tick();
  CHECK_TRUE(line.device().state() == kSafe && FakePort::enabled);
  DOUBLES_EQUAL(-300, static_cast<double>(FakePort::tau[0]), 0.1);
  FakePort::v[0] = -0.5f;
  for (int i = 0; i < 30; ++i) line.tick();
  DOUBLES_EQUAL(150, static_cast<double>(FakePort::tau[0]), 0.1);
}

TEST(ServoDevice, TorquesStayWithinTheirLimits) {
  ServoLine line(SafePolicy::kOff, 5000);
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  line.effort.fill(5), line.rate.fill(1000);
  CHECK_TRUE(Status::kOk == line.limit());
  CHECK_TRUE(Status::kOk == line.tell(link::Start()));
  line.tick();
  Six before = FakePort::tau;
  for (const float torque : before) CHECK_TRUE(std::abs(torque) <= 1);
  CHECK_TRUE(Status::kOk == line.lead({1, 1, 1, 1, 1, 1}, 1, link::ControlLaw::kSprings, 1e5f, 0));
  for (int i = 0; i < 50; ++i) {
    line.tick();
    for (std::size_t k = 0; k < kJoints; ++k) {
      CHECK_TRUE(std::abs(FakePort::tau[k]) <= 5);
      CHECK_TRUE(std::abs(FakePort::tau[k] - before[k]) <= 1.001f);
    }
    before = FakePort::tau;
  }
  CHECK_TRUE(line.report().limited > 0);
}

// Springs without measure: their torque is infinite before any limiter could cut it.
TEST(ServoDevice, ALawThatOverflowsMakesItSafe) {
  ServoLine line(SafePolicy::kOff, 5000);
  line.tick();
  const Six goal = {2.5f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
  CHECK_TRUE(Status::kOk == line.lead(goal, 3, link::ControlLaw::kSprings, 3e38f, 0));
  int writes = 0;
  for (int i = 0; i < 3000 && line.device().state() == kRunning; ++i) {
    writes = FakePort::writes;
    line.tick();
  }
  CHECK_TRUE(Status::kOverflow == line.report().safe_reason);
  LONGS_EQUAL(writes, FakePort::writes);
  line.check_off();
}

TEST(ServoDevice, WaysBeyondLimitsAreRefusedAndFeedNothing) {
  ServoLine line(SafePolicy::kOff, 4);
  line.tick();
  const auto law = link::ControlLaw::kSprings;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_TRUE(Status::kBeyondLimits == line.lead({1, 1, 1, 1, 1, 1}, 0.1f, law, 1, 1));  // too fast
  CHECK_TRUE(Status::kBeyondLimits == line.lead({3.1f, 0, 0, 0, 0, 0}, 10, law, 1, 1));
  CHECK_TRUE(Status::kNotFinite == line.lead({nan, 0, 0, 0, 0, 0}, 1, law, 1, 1));
  CHECK_TRUE(Status::kMalformed == line.lead({}, 0, law, 1, 1));
  CHECK_TRUE(Status::kMalformed == line.lead({}, 1, law, -1, 1));
  for (int i = 0; i < 3; ++i) line.tick();
  CHECK_TRUE(Status::kWatchdog == line.report().safe_reason);
}

TEST(ServoDevice, MotorsDoNotStartWithoutFiniteLimitsAndAWatchdog) {
  ServoLine line;
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  auto bad = line.settings;
  bad.watchdog_ticks = 0;
  CHECK_TRUE(Status::kMalformed == line.tell(bad));
  bad = line.settings;
  bad.free_running = false;
  CHECK_TRUE(Status::kMalformed == line.tell(bad));
  line.rate[3] = std::numeric_limits<float>::infinity();
  CHECK_TRUE(Status::kOk == line.limit());
  CHECK_TRUE(Status::kNotConfigured == line.tell(link::Start()));
  CHECK_FALSE(FakePort::enabled);
  Conversation<Device> fresh;  // no judgement
  CHECK_TRUE(Status::kOk == fresh.tell(line.settings));
  CHECK_TRUE(Status::kNotConfigured == fresh.tell(link::Start()));
}

// The limits of a compiled robot's file are there before any host speaks, and are the widest.
TEST(ServoDevice, LimitsComeFromTheModelAndAreNeverWidened) {
  ServoLine line;
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  const auto widened = [&](Six ServoLine::*limit, float value) {
    Six before = line.*limit;
    (line.*limit)[2] = value;
    const Status status = line.limit();
    line.*limit = before;
    return status;
  };
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK_TRUE(Status::kBeyondLimits == widened(&ServoLine::effort, 433.1f));
  CHECK_TRUE(Status::kBeyondLimits == widened(&ServoLine::effort, infinity));
  CHECK_TRUE(Status::kBeyondLimits == widened(&ServoLine::fastest, 2.7f));
  CHECK_TRUE(Status::kBeyondLimits == widened(&ServoLine::lower, -6.3f));
  CHECK_TRUE(Status::kBeyondLimits == widened(&ServoLine::upper, infinity));
  CHECK_TRUE(Status::kOk == widened(&ServoLine::effort, 432.9f));

  // a host that sends no limits
  FakePort::forget();
  FakePort::v[0] = 2.2f;
  Conversation<Device> silent;
  CHECK_TRUE(Status::kOk == silent.tell(line.settings));
  const Six none{};
  CHECK_TRUE(Status::kOk == silent.tell(link::Servo<const float>{2000, 0, none, none}));
  CHECK_TRUE(Status::kOk == silent.tell(link::Start()));
  ++FakeBoard::now_ticks;
  silent.device().poll();
  CHECK_TRUE(Status::kBeyondLimits == silent.report().safe_reason);
}

TEST(ServoDevice, NeverAllocates) {
  ServoLine line(SafePolicy::kHold, 3);
  line.tick();
  const Six still{};
  const auto frame = line.next_frame(link::Reference<const float>{
      link::ControlLaw::kComputedTorque, 100, 20, 1, 50, still, still, still});
  LONGS_EQUAL(0, line.allocations_over({frame}));
  LONGS_EQUAL(0, allocations_in([&] {
                for (int i = 0; i < 8; ++i) line.tick();
              }));
  CHECK_TRUE(line.device().state() == kSafe);
}
