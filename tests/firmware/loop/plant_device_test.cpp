#include "loop/plant_device.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "support/plant_line.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
struct Motion {
  std::array<T, kLineConfigs> q;
  std::array<T, kLineDofs> v, tau;
  link::StateReply<T> reply() { return {.q = q, .v = v, .tau = tau}; }
};

}  // namespace

TEST_GROUP(PlantDevice){};

TEST(PlantDevice, StepsTakenTogetherOrOneByOneAreTheSame) {
  PlantLine<float> together(kRunning), apart(kRunning);
  CHECK_TRUE(Status::kOk == together.step(20, 0.5f));
  for (int i = 0; i < 20; ++i) CHECK_TRUE(Status::kOk == apart.step(1, 0.5f));
  LONGS_EQUAL(20, apart.at());
  CHECK_TRUE(together.plant_bits() == apart.plant_bits());
  const auto report = together.report();
  LONGS_EQUAL(20, report.ticks);
  LONGS_EQUAL(7, report.shortest);
  LONGS_EQUAL(7, report.longest);
  LONGS_EQUAL(321, report.stack_bytes);
}

TEST(PlantDevice, NoStepsOnlyTellTheState) {
  PlantLine<float> line(kRunning);
  CHECK_TRUE(Status::kOk == line.step(3, 0.5f));
  const Bytes before = line.plant_bits();
  CHECK_TRUE(Status::kOk == line.step(0, 9));
  CHECK_TRUE(line.plant_bits() == before);
}

TEST(PlantDevice, OnlyTheStepItIsAtIsTaken) {
  PlantLine<float> line(kRunning);
  CHECK_TRUE(Status::kOk == line.step(4, 0.5f));
  const Bytes before = line.plant_bits();
  const Uniform<float> tau(0.5f);
  for (const std::uint64_t step : {0ull, 3ull, 5ull, ~0ull}) {
    const Heard heard = line.ask(link::Step<const float>{1, tau}, step);
    CHECK_TRUE(Status::kOutOfStep == heard.status() && heard.state() == kRunning);
    LONGS_EQUAL(4, heard.header.step);
  }
  CHECK_TRUE(line.plant_bits() == before);
}

TEST(PlantDevice, TooManyStepsInAFrameAreRefused) {
  PlantLine<float> line(kRunning);
  CHECK_TRUE(Status::kMalformed == line.step(link::kMaxStepsAFrame + 1, 0));
  CHECK_TRUE(Status::kMalformed == line.step(~0u, 0));
  LONGS_EQUAL(0, line.report().ticks);
  CHECK_TRUE(line.device().state() == kRunning);
}

TEST(PlantDevice, NaNTorquesAreRefusedAndTheLoopGoesOn) {
  PlantLine<double> line(kRunning), same(kRunning);
  CHECK_TRUE(Status::kOk == line.step(2, 1) && Status::kOk == same.step(2, 1));
  for (const double bad : {kNaN, 1 / 0.0}) {
    const Heard heard = line.ask_step(1, bad);
    CHECK_TRUE(Status::kNotFinite == heard.status() && heard.state() == kRunning);
    CHECK_TRUE(line.plant_bits() == same.plant_bits());
  }
  CHECK_TRUE(Status::kOk == line.step(2, 2) && Status::kOk == same.step(2, 2));
  CHECK_TRUE(line.plant_bits() == same.plant_bits());
}

TEST(PlantDevice, AnOverflowGoesSafeAndKeepsTheLastGoodState) {
  PlantLine<float> line(kRunning), same(kRunning);
  CHECK_TRUE(Status::kOk == line.step(2, 1) && Status::kOk == same.step(2, 1));
  const Heard heard = line.ask_step(1000, std::numeric_limits<float>::max());
  CHECK_TRUE(Status::kOverflow == heard.status() && heard.state() == kSafe);
  LONGS_EQUAL(2, heard.header.step);
  CHECK_TRUE(Status::kOverflow == line.report().safe_reason);
  CHECK_TRUE(line.plant_bits() == same.plant_bits());
  CHECK_TRUE(Status::kNotNow == line.tell(link::Start()));

  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  line.start();
  CHECK_TRUE(Status::kOk == line.step(2, 1) && Status::kOk == same.step(2, 1));
  CHECK_TRUE(line.plant_bits() == same.plant_bits());
  CHECK_TRUE(Status::kOverflow == line.report().safe_reason);  // why it was safe last
}

// with limits that cut, so that the torques that acted last are part of it
TEST(PlantDevice, AStateThatWasToldContinuesOnAnotherPlant) {
  PlantLine<double> line, other;
  const Uniform<double> effort(3), rate(100), lower(-1), upper(1), velocity(1);
  for (PlantLine<double>* plant : {&line, &other}) {
    CHECK_TRUE(Status::kOk ==
               plant->tell(link::Limits<const double>{effort, rate, lower, upper, velocity}));
  }
  line.start();
  CHECK_TRUE(Status::kOk == line.step(10, 5));
  LONGS_EQUAL(10 * kLineDofs, line.report().limited);
  Motion<double> motion;
  auto state = motion.reply();
  const Heard told = line.ask(link::State(), state);
  for (const double tau : motion.tau) DOUBLES_EQUAL(1, tau, 1e-12);

  CHECK_TRUE(Status::kOk ==
             other.tell(link::SetState<const double>{state.hash, motion.q, motion.v, motion.tau},
                        told.header.step));
  CHECK_TRUE(other.plant_bits() == line.plant_bits());
  other.start();
  const Uniform<double> tau(5);
  for (PlantLine<double>* plant : {&line, &other}) {
    CHECK_TRUE(Status::kOk == plant->tell(link::Step<const double>{30, tau}, 10));
  }
  CHECK_TRUE(other.plant_bits() == line.plant_bits());
}

TEST(PlantDevice, StatesThatMakeNoSenseAreRefused) {
  PlantLine<double> line, same;
  const Bytes before = line.plant_bits();
  Motion<double> motion;
  auto state = motion.reply();
  line.ask(link::State(), state);
  const auto refused = [&](auto&& spoil) {
    Motion<double> bad = motion;
    spoil(bad);
    const Status status = line.tell(link::SetState<const double>{1, bad.q, bad.v, bad.tau}, 5);
    CHECK_TRUE(line.plant_bits() == before);
    return status;
  };
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.q[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.v[1] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& m) { m.tau[2] = kNaN; }));
  CHECK_TRUE(Status::kNotUnitQuaternion == refused([](auto& m) { m.q[6] = 2; }));
  CHECK_TRUE(Status::kAngleTooLarge == refused([](auto& m) { m.q[9] = 1e9; }));
  for (PlantLine<double>* plant : {&line, &same}) {
    plant->start();
    CHECK_TRUE(Status::kOk == plant->step(3, 1));
  }
  CHECK_TRUE(line.plant_bits() == same.plant_bits());
}

TEST(PlantDevice, RunsAsItWasConfigured) {
  const Uniform<double> offset(0.1), amplitude(0.3);
  const Uniform<std::uint32_t> increment(1u << 24), phase(1u << 30);
  auto message = configuration<double>();
  message.dt = 0.002;
  message.gravity = {1, 2, 3};
  message.kp = 25, message.kd = 8;
  message.integrator = 1;
  message.drive = link::DriveMode::kTrackWaves;
  PlantLine<double> line;
  line.configure(message);
  CHECK_TRUE(Status::kOk ==
             line.tell(link::Waves<const double>{offset, amplitude, increment, phase}));
  line.start();

  using Table = TableModel<double, 8>;
  firmware::Robot<Table, double> robot;
  CHECK_TRUE(Status::kOk == robot.table().assign(line_robot()));
  firmware::Settings<Table, double> settings;
  settings.resize(kLineDofs);
  settings.dt = 0.002;
  settings.gravity = {1, 2, 3};
  settings.kp = 25, settings.kd = 8;
  settings.integrator = Integrator::kRungeKutta4;
  settings.drive = link::DriveMode::kTrackWaves;
  settings.waves.offset.setConstant(0.1), settings.waves.amplitude.setConstant(0.3);
  settings.waves.increment.setConstant(1u << 24), settings.waves.phase.setConstant(1u << 30);
  firmware::Plant<Table, double> plant(robot);
  for (int i = 0; i < 10; ++i) CHECK_TRUE(Status::kOk == plant.advance(settings));

  Motion<double> motion;
  auto state = motion.reply();
  line.ask(link::Step<const double>{10, {}}, state);
  CHECK_TRUE(state.hash == plant.hash());
  CHECK_TRUE(std::ranges::equal(motion.tau, plant.motion().tau));
}

TEST(PlantDevice, WithADriveOfItsOwnItTakesNoTorques) {
  for (const auto drive : {link::DriveMode::kTorqueWaves, link::DriveMode::kTrackWaves}) {
    PlantLine<double> line, other;
    const Uniform<double> offset(0.1), amplitude(0.3);
    const Uniform<std::uint32_t> increment(1u << 24), phase(1u << 31);
    for (PlantLine<double>* plant : {&line, &other}) {
      auto settings = configuration<double>();
      settings.drive = drive;
      plant->configure(settings);
      CHECK_TRUE(Status::kOk ==
                 plant->tell(link::Waves<const double>{offset, amplitude, increment, phase}));
      plant->start();
    }
    CHECK_TRUE(Status::kMalformed == line.step(1, 0));
    const auto run = [](PlantLine<double>& plant, std::uint32_t count, std::uint64_t at) {
      CHECK_TRUE(Status::kOk == plant.tell(link::Step<const double>{count, {}}, at));
    };
    run(line, 20, 0);
    run(other, 13, 0), run(other, 7, 13);
    CHECK_TRUE(line.plant_bits() == other.plant_bits());
    Motion<double> motion;
    auto state = motion.reply();
    line.ask(link::State(), state);
    CHECK_TRUE(motion.tau.back() != 0);
  }
}

TEST(PlantDevice, StepsThatFailMidwayAreNotTakenAtAll) {
  constexpr float kTorque = 1e6f;
  PlantLine<float> line(kRunning), same(kRunning), untouched(kRunning);
  for (PlantLine<float>* plant : {&line, &same, &untouched}) {
    CHECK_TRUE(Status::kOk == plant->step(2, 1));
  }
  Status failure = Status::kOk;
  while (failure == Status::kOk && same.at() < 1000) failure = same.step(1, kTorque);
  CHECK_TRUE(failure != Status::kOk && same.at() > 3);  // only some steps on
  const Heard heard = line.ask_step(1000, kTorque);
  CHECK_TRUE(failure == heard.status() && heard.state() == kSafe);
  LONGS_EQUAL(2, heard.header.step);
  CHECK_TRUE(line.plant_bits() == untouched.plant_bits());
}

TEST(PlantDevice, ALongStepCanBeStopped) {
  PlantLine<float> line(kRunning), other(kRunning);
  const Bytes step = line.step_frame(1'000'000, 0.5f);
  line.send(step);
  for (int i = 0; i < 7; ++i) line.device().poll();
  line.send(step);                             // again: it is being worked on
  line.send(line.next_frame(link::Report()));  // not now
  line.device().poll();
  CHECK_TRUE(line.device().outgoing().empty() && line.device().is_busy());
  line.send(line.next_frame(link::Stop()));
  CHECK_TRUE(line.device().state() == kReady && !line.device().is_busy());
  const auto heard = line.hear();
  CHECK_TRUE(heard && heard->header.type == link::reply_type(link::MessageType::kStop));
  LONGS_EQUAL(8, heard->header.step);
  CHECK_TRUE(Status::kOk == other.step(8, 0.5f));
  CHECK_TRUE(line.plant_bits() == other.plant_bits());
}

TEST(PlantDevice, NeverAllocates) {
  PlantLine<float> line;
  auto settings = configuration<float>();
  settings.integrator = 1;
  const Uniform<float> tau(1);
  std::vector<Bytes> frames = {line.next_frame(settings), line.next_frame(link::Start())};
  for (std::uint64_t i = 0; i < 5; ++i) {
    frames.push_back(line.next_frame(link::Step<const float>{1, tau}, i));
  }
  const Uniform<float> bad(std::numeric_limits<float>::max());
  frames.push_back(line.next_frame(link::Step<const float>{1, bad}, 5));
  frames.push_back(line.next_frame(link::Stop()));
  LONGS_EQUAL(0, line.allocations_over(frames));
  LONGS_EQUAL(6, line.report().ticks);
  CHECK_TRUE(Status::kOverflow == line.report().safe_reason);
}
