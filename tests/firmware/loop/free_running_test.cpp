// Ticks of the board instead of frames of the host: the part of session.hpp that knows time.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>

#include "support/plant_line.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;

namespace {

struct FreePlant : PlantLine<float> {
  explicit FreePlant(std::uint32_t watchdog_ticks = 0, std::uint16_t publish_every = 0) {
    auto settings = configuration<float>();
    settings.free_running = true;
    settings.watchdog_ticks = watchdog_ticks;
    settings.publish_every = publish_every;
    configure(settings);
    start();
  }
};

}  // namespace

TEST_GROUP(FreeRunning){};

TEST(FreeRunning, ATickIsAStepWithTheBitsOfLockstep) {
  FreePlant line;
  LONGS_EQUAL(1000, FakeBoard::period);  // cycles of a microsecond
  PlantLine<float> lockstep(kRunning);
  LONGS_EQUAL(FakeBoard::kLongestPeriod, FakeBoard::period);
  for (const float tau : {0.0f, 1.5f, -0.5f}) {
    CHECK_TRUE(Status::kOk == line.step(0, tau));
    for (int i = 0; i < 10; ++i) line.tick();
    CHECK_TRUE(Status::kOk == lockstep.step(10, tau));
    CHECK_TRUE(line.plant_bits() == lockstep.plant_bits());
  }
  LONGS_EQUAL(30, line.report().ticks);
  LONGS_EQUAL(0, line.report().overruns);
}

TEST(FreeRunning, OnlyATickMovesIt) {
  FreePlant line;
  line.tick();
  const Bytes before = line.plant_bits();
  for (int i = 0; i < 5; ++i) line.device().poll();
  CHECK_TRUE(line.plant_bits() == before);
  CHECK_TRUE(Status::kNotNow == line.step(1, 0));  // a frame may bring torques, not steps
  CHECK_TRUE(line.plant_bits() == before);
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  line.tick(5);
  CHECK_TRUE(line.plant_bits() == before);

  PlantLine<float> lockstep(kRunning);
  const Bytes at_rest = lockstep.plant_bits();
  lockstep.tick(100);
  CHECK_TRUE(lockstep.plant_bits() == at_rest);
}

TEST(FreeRunning, WithoutCommandsTheWatchdogMakesItSafe) {
  for (const std::uint32_t limit : {1u, 2u, 5u}) {
    FreePlant line(limit);
    for (std::uint32_t i = 1; i < limit; ++i) {
      line.tick();
      CHECK_TRUE(line.device().state() == kRunning);
    }
    const Bytes before = line.plant_bits();
    line.tick();
    CHECK_TRUE(line.device().state() == kSafe);
    CHECK_TRUE(line.plant_bits() == before);
    for (int i = 0; i < 10; ++i) line.tick();  // no way out but by being asked
    CHECK_TRUE(line.plant_bits() == before);
    const auto report = line.report();
    CHECK_TRUE(Status::kWatchdog == report.safe_reason);
    LONGS_EQUAL(1, report.watchdog_trips);
    LONGS_EQUAL(limit - 1, report.ticks);

    CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
    line.start();
    for (std::uint32_t i = 1; i < limit; ++i) line.tick();
    CHECK_TRUE(line.device().state() == kRunning);
    line.tick();
    CHECK_TRUE(line.device().state() == kSafe);
    LONGS_EQUAL(2, line.report().watchdog_trips);
  }
}

TEST(FreeRunning, OnlyGoodCommandsFeedTheWatchdog) {
  FreePlant line(3);
  for (int i = 0; i < 10; ++i) {
    line.tick(), line.tick();
    CHECK_TRUE(Status::kOk == line.step(0, 0.5f));
  }
  CHECK_TRUE(line.device().state() == kRunning);
  line.tick(), line.tick();
  CHECK_TRUE(Status::kNotFinite == line.step(0, std::numeric_limits<float>::quiet_NaN()));
  line.report();
  line.plant_bits();
  line.tick();
  CHECK_TRUE(line.device().state() == kSafe);
}

TEST(FreeRunning, MissedTicksAreCountedAndForgiven) {
  FreePlant line, punctual;
  for (const std::uint32_t late : {1u, 4u, 1u, 2u, 2u, 1u}) line.tick(late);
  const auto report = line.report();
  LONGS_EQUAL(6, report.ticks);
  LONGS_EQUAL(3 + 1 + 1, report.overruns);
  CHECK_TRUE(line.device().state() == kRunning);
  FakeBoard::now_ticks = 0;
  for (int i = 0; i < 6; ++i) punctual.tick();  // a step a tick that was seen
  CHECK_TRUE(line.plant_bits() == punctual.plant_bits());
}

TEST(FreeRunning, MoreThanTenMissedTicksMakeItSafe) {
  FreePlant line;
  for (int i = 0; i < 10; ++i) line.tick(2);
  CHECK_TRUE(line.device().state() == kRunning);
  line.tick(2);
  CHECK_TRUE(line.device().state() == kSafe);
  const auto report = line.report();
  CHECK_TRUE(Status::kOverrun == report.safe_reason);
  LONGS_EQUAL(11, report.overruns);
  LONGS_EQUAL(10, report.ticks);

  FreePlant forgiving;  // one is forgotten in a thousand punctual ticks
  for (int i = 0; i < 30; ++i) {
    forgiving.tick(2);
    for (int punctual = 0; punctual < 1000; ++punctual) forgiving.tick();
  }
  CHECK_TRUE(forgiving.device().state() == kRunning);
}

// each step takes `load` periods: below two, ticks are punctual again and again
TEST(FreeRunning, ASteadyOverloadMakesItSafeInABoundedTime) {
  for (const double load : {1.01, 1.1, 1.3, 1.5, 1.89, 1.99}) {
    FreePlant line;
    const double bound = 11 / (load - 1 - 0.001) + 2;  // steps
    double time = 1;
    int steps = 0;
    for (; line.device().state() == kRunning && steps < 2 * bound; ++steps) {
      FakeBoard::now_ticks = static_cast<std::uint32_t>(time);
      line.device().poll();
      time = std::max(time + load, std::floor(time) + 1);
    }
    CHECK_TRUE(Status::kOverrun == line.report().safe_reason);
    CHECK_TRUE(steps <= bound);
  }
}

TEST(FreeRunning, HowManyMayBeMissedIsASetting) {
  PlantLine<float> line;
  auto settings = configuration<float>();
  settings.free_running = true;
  settings.missed_allowed = 0;
  line.configure(settings);
  line.start();
  line.tick();
  CHECK_TRUE(line.device().state() == kRunning);
  line.tick(2);
  CHECK_TRUE(line.device().state() == kSafe);
}

TEST(FreeRunning, TheHardwareWatchdogIsFedByPunctualTicksOnly) {
  FreePlant line;
  const auto fed_in = [&](auto&& work) {
    FakeBoard::fed = 0;
    work();
    return FakeBoard::fed;
  };
  LONGS_EQUAL(3, fed_in([&] { line.tick(), line.tick(), line.tick(); }));
  LONGS_EQUAL(0, fed_in([&] { line.tick(2), line.tick(3); }));
  LONGS_EQUAL(0, fed_in([&] { line.device().poll(); }));
  LONGS_EQUAL(4, FakeBoard::noted);
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  LONGS_EQUAL(1, fed_in([&] { line.device().poll(); }));  // nothing to be late for
}

TEST(FreeRunning, MissedTicksBringTheWatchdogNearer) {
  FreePlant line(6);
  line.tick(3), line.tick(2);
  CHECK_TRUE(line.device().state() == kRunning);
  line.tick(4);
  CHECK_TRUE(Status::kWatchdog == line.report().safe_reason);
}

TEST(FreeRunning, ACommandThatOverflowsMakesItSafeAndIsForgotten) {
  FreePlant line, same;
  line.tick();
  FakeBoard::now_ticks = 0;
  same.tick();
  const Bytes before = line.plant_bits();
  CHECK_TRUE(Status::kOk == line.step(0, std::numeric_limits<float>::max()));
  line.tick();
  CHECK_TRUE(line.device().state() == kSafe);
  CHECK_TRUE(Status::kOverflow == line.report().safe_reason);
  CHECK_TRUE(line.plant_bits() == before);
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  line.start();
  line.tick();
  FakeBoard::now_ticks = 1;
  same.tick();
  CHECK_TRUE(line.device().state() == kRunning);
  CHECK_TRUE(line.plant_bits() == same.plant_bits());
}

TEST(FreeRunning, StatesArePublishedEverySoManyTicks) {
  FreePlant line(0, 3);
  for (std::uint64_t step = 1; step <= 12; ++step) {
    line.tick();
    const auto heard = line.hear();
    CHECK_TRUE(heard.has_value() == (step % 3 == 0));
    if (!heard) continue;
    LONGS_EQUAL(link::reply_type(link::MessageType::kState), heard->header.type);
    LONGS_EQUAL(0, heard->header.sequence);
    LONGS_EQUAL(step, heard->header.step);
    CHECK_TRUE(heard->payload == line.ask(link::State()).payload);
  }
}

TEST(FreeRunning, ASafeLoopStillPublishes) {
  FreePlant line(2, 1);
  line.tick();
  CHECK_TRUE(line.hear()->state() == kRunning);
  line.tick();
  CHECK_TRUE(line.hear()->state() == kSafe);
  line.tick();
  CHECK_TRUE(line.hear()->state() == kSafe);
}

TEST(FreeRunning, APublicationNeverBreaksAnAnswer) {
  FreePlant line(0, 1);
  const auto waiting = [&] {
    return Bytes(line.device().outgoing().begin(), line.device().outgoing().end());
  };
  std::size_t size = 1;
  for (std::size_t sent = 0; sent < size; ++sent) {
    line.send(line.step_frame(0, 1));
    size = waiting().size();
    for (std::size_t i = 0; i < sent; ++i) line.device().sent();
    const Bytes rest = waiting();
    line.tick();
    CHECK_TRUE(waiting() == rest);
    while (!line.device().outgoing().empty()) line.device().sent();
  }
  CHECK_TRUE(size > 100);
  line.tick();
  CHECK_TRUE(line.hear().has_value());
}

TEST(FreeRunning, ALostAnswerCanBeRepeatedAfterAPublication) {
  FreePlant line(0, 1);
  const Bytes frame = line.step_frame(0, 1);
  const Heard first = line.answer_to(frame);
  line.tick();
  CHECK_TRUE(line.hear()->header.sequence == 0);
  const Heard again = line.answer_to(frame);
  CHECK_TRUE(again.header == first.header && again.payload == first.payload);
}

TEST(FreeRunning, ARequestDuringAPublicationIsActedOnAndAnsweredAfterIt) {
  FreePlant line(0, 1);
  line.tick();
  line.device().sent();
  line.send(line.step_frame(0, 1));
  const std::size_t rest = line.device().outgoing().size();
  CHECK_TRUE(rest > 100);
  CHECK_TRUE(line.hear()->header.sequence == 0);
  line.tick();  // no other publication comes before it
  const auto heard = line.hear();
  CHECK_TRUE(heard && heard->header.sequence != 0 && heard->status() == Status::kOk);
}

// A UART that takes less than is published, for every place in the stream where Stop may come: it
// acts with its last byte, and its answer waits for the rest of one publication, no more.
TEST(FreeRunning, StopIsHeardOnceHoweverMuchIsPublished) {
  constexpr std::size_t kBytesATick = 11;  // 115200 baud at 1 kHz
  std::size_t published = 0;
  for (std::size_t before = 0; before < 300; ++before) {
    FreePlant line(0, 1);
    std::size_t taken = 0;
    const auto take_byte = [&] {  // the frame that it ends
      if (taken++ % kBytesATick == 0) line.tick();
      return line.hear_byte();
    };
    for (std::size_t i = 0; i < before; ++i) {
      if (take_byte()) published = std::max(published, taken);
    }
    line.send(line.next_frame(link::Stop()));
    CHECK_TRUE(line.device().state() == kReady);
    taken = 0;
    std::optional<Heard> heard;
    while (!heard || heard->header.sequence == 0) heard = take_byte();
    LONGS_EQUAL(link::reply_type(link::MessageType::kStop), heard->header.type);
    CHECK_TRUE(published == 0 || taken <= published + frame_of({}, Bytes(2)).size());
  }
  CHECK_TRUE(published > 200);
}

TEST(FreeRunning, NeverAllocates) {
  FreePlant line(2, 1);
  LONGS_EQUAL(0, allocations_in([&] {
                for (int i = 0; i < 4; ++i) {
                  line.tick();
                  while (!line.device().outgoing().empty()) line.device().sent();
                }
              }));
  CHECK_TRUE(line.device().state() == kSafe);
}

TEST(FreeRunning, AStepThatFailsMakesItSafe) {
  FreePlant line;
  CHECK_TRUE(Status::kOk == line.step(0, std::numeric_limits<float>::max()));
  line.tick();
  CHECK_TRUE(line.device().state() == kSafe);
  CHECK_TRUE(Status::kOverflow == line.report().safe_reason);
}
