#include "loop/controller_device.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lockstep/table_model.hpp"
#include "six_axis_arm.hpp"
#include "support/plant_line.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;

namespace {

using Device = firmware::ControllerDevice<TableModel<float, 8>, float, FakeBoard>;

struct Measured {
  Measured() {
    Random random(31);
    const auto bodies = line_robot();
    const host::DenseInput now = random_state(bodies, random),
                           wanted = random_state(bodies, random);
    for (int i = 0; i < kLineConfigs; ++i) {
      q[static_cast<std::size_t>(i)] = static_cast<float>(now.q[i]);
      q_ref[static_cast<std::size_t>(i)] = static_cast<float>(wanted.q[i]);
    }
    v.fill(0.5f), v_ref.fill(0.25f), a_ref.fill(-1);
  }
  link::Control<const float> message() const { return {q, v, q_ref, v_ref, a_ref}; }
  std::array<float, kLineConfigs> q, q_ref;
  std::array<float, kLineDofs> v, v_ref, a_ref;
};

struct ControllerLine : Conversation<Device> {
  explicit ControllerLine(bool free_running = false, std::uint32_t watchdog_ticks = 0) {
    send_model<float>(*this, line_robot());
    auto settings = configuration<float>();
    settings.free_running = free_running;
    settings.watchdog_ticks = watchdog_ticks;
    settings.publish_every = free_running ? 1 : 0;
    CHECK_TRUE(Status::kOk == tell(settings));
    CHECK_TRUE(Status::kOk == tell(link::Start()));
  }
  Status control(const Measured& measured, std::uint64_t step) {
    return ask(measured.message(), reply, step).status();
  }
  void tick() {
    ++FakeBoard::now_ticks;
    device().poll();
  }
  std::array<float, kLineDofs> tau{};
  link::ControlReply<float> reply{.tau = tau};
};

bool all_zero(std::span<const float> values) {
  return std::ranges::all_of(values, [](float x) { return x == 0; });
}

}  // namespace

TEST_GROUP(ControllerDevice){};

TEST(ControllerDevice, HasTheBitsOfAControllerHere) {
  ControllerLine line;
  using Table = TableModel<float, 8>;
  firmware::Robot<Table, float> robot;
  CHECK_TRUE(Status::kOk == robot.table().assign(line_robot()));
  firmware::Settings<Table, float> settings;
  settings.resize(kLineDofs);
  firmware::Controller<Table, float> here(robot);
  Measured measured;
  for (std::uint64_t step = 0; step < 5; ++step) {
    measured.v.fill(static_cast<float>(step) * 0.1f);
    std::ranges::copy(measured.q, here.incoming().q.begin());
    std::ranges::copy(measured.v, here.incoming().v.begin());
    std::ranges::copy(measured.q_ref, here.incoming().reference.q.begin());
    std::ranges::copy(measured.v_ref, here.incoming().reference.v.begin());
    std::ranges::copy(measured.a_ref, here.incoming().reference.a.begin());
    CHECK_TRUE(Status::kOk == here.control(settings, step));
    CHECK_TRUE(Status::kOk == line.control(measured, step));
    CHECK_TRUE(std::ranges::equal(line.tau, here.torque()));
    CHECK_TRUE(line.reply.hash == here.hash());
  }
  CHECK_FALSE(all_zero(line.tau));
  LONGS_EQUAL(5, line.report().ticks);
}

TEST(ControllerDevice, BadMeasurementsAreRefusedAndTheLoopGoesOn) {
  ControllerLine line, same;
  const Measured good;
  Measured bad = good;
  bad.q[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK_TRUE(Status::kOk == line.control(good, 0));
  CHECK_TRUE(Status::kNotFinite == line.control(bad, 1));
  CHECK_TRUE(line.device().state() == kRunning);
  CHECK_TRUE(Status::kOk == line.control(good, 1));
  CHECK_TRUE(Status::kOk == same.control(good, 0) && Status::kOk == same.control(good, 1));
  CHECK_TRUE(line.tau == same.tau && line.reply.hash == same.reply.hash);
}

TEST(ControllerDevice, InLockstepEveryStepIsTakenOnce) {
  ControllerLine line;
  const Measured measured;
  CHECK_TRUE(Status::kOutOfStep == line.control(measured, 1));
  CHECK_TRUE(Status::kOk == line.control(measured, 0));
  CHECK_TRUE(Status::kOutOfStep == line.control(measured, 0));
  CHECK_TRUE(Status::kOutOfStep == line.control(measured, 2));
  CHECK_TRUE(Status::kOk == line.control(measured, 1));
}

TEST(ControllerDevice, FreeRunningAStepMayBeMissedButNotUndone) {
  ControllerLine line(true);
  const Measured measured;
  CHECK_TRUE(Status::kOk == line.control(measured, 7));
  CHECK_TRUE(Status::kOutOfStep == line.control(measured, 6));
  CHECK_TRUE(Status::kOutOfStep == line.control(measured, 7));
  CHECK_TRUE(Status::kOk == line.control(measured, 8));
}

TEST(ControllerDevice, MessagesOfOthersAndInOtherStatesAreRefused) {
  ControllerLine line;
  CHECK_TRUE(Status::kUnknownMessage == line.tell(link::State()));
  CHECK_TRUE(Status::kUnknownMessage == line.tell(link::Step<const float>{1, Uniform<float>(0)}));
  const Measured measured;
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  CHECK_TRUE(Status::kNotNow == line.control(measured, 0));
  Conversation<Device> empty;
  CHECK_TRUE(Status::kNotNow == empty.tell(measured.message()));
  link::HelloReply hello;
  empty.ask(link::Hello(), hello);
  CHECK_TRUE(hello.application == link::Application::kController);
}

TEST(ControllerDevice, MalformedMeasurementsChangeNothing) {
  ControllerLine line, same;
  const Measured measured;
  CHECK_TRUE(Status::kOk == line.control(measured, 0));
  Bytes payload = payload_of(measured.message());
  payload.pop_back();
  const auto frame = line.next_frame(link::request_type(link::MessageType::kControl), payload, 1);
  CHECK_TRUE(Status::kMalformed == line.answer_to(frame).status());
  CHECK_TRUE(Status::kOk == line.control(measured, 1));
  CHECK_TRUE(Status::kOk == same.control(measured, 0) && Status::kOk == same.control(measured, 1));
  CHECK_TRUE(line.tau == same.tau && line.reply.hash == same.reply.hash);
}

TEST(ControllerDevice, WhenItIsSafeItLetsTheRobotGo) {
  ControllerLine line(true, 3);
  const Measured measured;
  const auto published = [&] {
    const auto heard = line.hear();
    CHECK_TRUE(heard.has_value());
    LONGS_EQUAL(link::reply_type(link::MessageType::kControl), heard->header.type);
    LONGS_EQUAL(0, heard->header.sequence);
    link::ByteReader from(heard->payload);
    CHECK_TRUE(line.reply.read(from));
  };
  CHECK_TRUE(Status::kOk == line.control(measured, 0));
  for (int i = 0; i < 2; ++i) {
    line.tick();
    published();
    CHECK_TRUE(line.reply.state == kRunning && !all_zero(line.tau));
  }
  CHECK_TRUE(Status::kOk == line.control(measured, 1));  // the count begins anew
  for (int i = 0; i < 2; ++i) line.tick(), published();
  CHECK_TRUE(line.reply.state == kRunning);
  for (int i = 0; i < 3; ++i) {
    line.tick();
    published();
    CHECK_TRUE(line.reply.state == kSafe && all_zero(line.tau));
  }
  CHECK_TRUE(Status::kWatchdog == line.report().safe_reason);
  CHECK_TRUE(Status::kNotNow == line.control(measured, 2));
}

TEST(ControllerDevice, AStartForgetsTheRunBefore) {
  ControllerLine line, fresh;
  const Measured measured;
  for (std::uint64_t step = 0; step < 3; ++step) {
    CHECK_TRUE(Status::kOk == line.control(measured, step));
  }
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()) && Status::kOk == line.tell(link::Start()));
  CHECK_TRUE(Status::kOk == line.control(measured, 0));
  CHECK_TRUE(Status::kOk == fresh.control(measured, 0));
  CHECK_TRUE(line.tau == fresh.tau && line.reply.hash == fresh.reply.hash);
}

TEST(ControllerDevice, TorquesStayWithinTheLimitsOfTheActuators) {
  ControllerLine line;
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  const Uniform<float> effort(2), rate(1000), lower(-10), upper(10), velocity(10);
  CHECK_TRUE(Status::kOk ==
             line.tell(link::Limits<const float>{effort, rate, lower, upper, velocity}));
  CHECK_TRUE(Status::kOk == line.tell(link::Start()));
  const Measured measured;
  float bound = 0;
  for (std::uint64_t step = 0; step < 4; ++step) {
    CHECK_TRUE(Status::kOk == line.control(measured, step));
    bound = std::min(bound + 1, 2.0f);
    float largest = 0;
    for (const float x : line.tau) largest = std::max(largest, x < 0 ? -x : x);
    DOUBLES_EQUAL(static_cast<double>(bound), static_cast<double>(largest), 1e-6);
  }
  CHECK_TRUE(line.report().limited > 0);
}

// Those of its file; in 10 ms at least to all of an effort.
TEST(ControllerDevice, ACompiledRobotHasItsLimitsBeforeAnyHostSpeaks) {
  Conversation<firmware::ControllerDevice<six_axis_arm, float, FakeBoard>> line;
  auto settings = configuration<float>();
  settings.model_hash = six_axis_arm::kHash;
  settings.kp = 1e6f;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  CHECK_TRUE(Status::kOk == line.tell(link::Start()));
  std::array<float, 6> still{}, goal{}, tau{};
  goal.fill(1);
  link::ControlReply<float> reply{.tau = tau};
  constexpr float kEffort[] = {738, 738, 433, 107, 107, 107};
  for (std::uint64_t step = 0; step < 20; ++step) {
    const link::Control<const float> asked = {still, still, goal, still, still};
    CHECK_TRUE(Status::kOk == line.ask(asked, reply, step).status());
    const float share = std::min(0.1f * static_cast<float>(step + 1), 1.0f);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK_TRUE(std::abs(tau[i]) <= share * kEffort[i] * 1.0001f);
    }
  }
  CHECK_TRUE(std::abs(tau[0]) == kEffort[0]);
}

TEST(ControllerDevice, NeverAllocates) {
  ControllerLine line(true, 100);
  const Measured measured;
  std::vector<Bytes> frames;
  for (std::uint64_t i = 0; i < 5; ++i) frames.push_back(line.next_frame(measured.message(), i));
  FakeBoard::now_ticks = 1;  // and a publication
  LONGS_EQUAL(0, line.allocations_over(frames));
  LONGS_EQUAL(5, line.report().ticks);
}
