#include "hil/tick_costs.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/swinging_arm.hpp"
#include "support/conversation.hpp"

using namespace lockstep;
using namespace lockstep::host::hil;
using host::Error;

namespace {

// A target that answers nothing but TickTimes.
struct Teller final : Transport {
  using Cycles = decltype(link::TickTimesReply::cycles);

  void write(std::span<const std::uint8_t> bytes) override {
    for (const std::uint8_t byte : bytes) {
      const link::Frame* frame = reader.push(byte);
      if (frame == nullptr) continue;
      ++asked;
      link::Header header = frame->header;
      header.type |= link::kReplyBit;
      const bool knows = frame->header.type == link::request_type(link::MessageType::kTickTimes);
      said = test::frame_of(header,
                            test::payload_of(link::TickTimesReply{
                                .status = knows ? status : Status::kMalformed, .cycles = cycles}));
    }
  }
  std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds) override {
    std::ranges::copy(said, bytes.begin());
    return std::exchange(said, {}).size();
  }
  std::string ended() override { return ""; }

  Status status = Status::kOk;
  Cycles cycles{};
  int asked = 0;
  test::Bytes said;
  link::FrameReader<64> reader;
};

constexpr TickUnit kMicroseconds = {.clock_hz = 1e6};

}  // namespace

TEST_GROUP(TickCosts) {
  Teller teller;
  Client client{teller, "target"};

  TickCosts costs(std::uint64_t steps, std::uint64_t every) {
    return TickCosts(client, kMicroseconds, {.steps = steps}, every);
  }
};

TEST(TickCosts, AnEmulatedChipCountsInstructionsAndAnyOtherTime) {
  STRCMP_EQUAL("tick_time [us]", host::header_of(kMicroseconds.column()).c_str());
  DOUBLES_EQUAL(1.234, (TickUnit{.clock_hz = 1e9}.of(1234)), 0);
  // 2^5 ns are 0.8 counts at 25 MHz
  constexpr TickUnit kInstructions = {.clock_hz = 25e6, .shift = 5};
  STRCMP_EQUAL("instructions", host::header_of(kInstructions.column()).c_str());
  DOUBLES_EQUAL(1000, kInstructions.of(800), 0);
  DOUBLES_EQUAL(1001, kInstructions.of(801), 0);  // 1001.25
}

TEST(TickCosts, AreToldWhereATargetRemembersEveryStepOfAFrame) {
  CHECK_TRUE(TickCosts::are_told({.mode = Mode::kStep}));
  CHECK_TRUE(TickCosts::are_told({.mode = Mode::kCheckpoint, .checkpoint = 1000000}));
  CHECK_FALSE(TickCosts::are_told({.mode = Mode::kFree}));
  CHECK_TRUE(TickCosts::are_told({.rate = 1600, .control_rate = 100}));
  CHECK_FALSE(TickCosts::are_told({.rate = 1700, .control_rate = 100}));
  CHECK_TRUE(TickCosts::are_told(
      {.application = Application::kController, .rate = 1700, .control_rate = 100}));
}

TEST(TickCosts, OldFirmwareDoesNotKnowThem) {
  CHECK_TRUE(TickCosts::are_known_to(client));
  teller.status = Status::kUnknownMessage;
  CHECK_FALSE(TickCosts::are_known_to(client));
  teller.status = Status::kWrongSession;
  CHECK_THROWS(Refused, TickCosts::are_known_to(client));
}

TEST(TickCosts, ARowHasThatOfTheStepThatLedToIt) {
  TickCosts own = costs(8, 1);
  teller.cycles = {14, 13, 12, 11, 99};
  LONGS_EQUAL(4, own.at_once(0, 4));
  own.after_steps(0, 4);
  teller.cycles = {18, 17, 16, 15};
  for (std::uint64_t row = 0; row < 4; ++row) {
    DOUBLES_EQUAL(row == 0 ? 0.0 : 10.0 + static_cast<double>(row), own.at(row), 0);
  }
  own.after_steps(4, 4);
  for (std::uint64_t row = 4; row <= 8; ++row) {
    DOUBLES_EQUAL(10.0 + static_cast<double>(row), own.at(row), 0);
  }
  LONGS_EQUAL(2, teller.asked);
}

TEST(TickCosts, StepsStopWhereTheLastOnesAreStillRemembered) {
  const TickCosts each = costs(1000, 1), some = costs(1000, 100);
  LONGS_EQUAL(16, each.at_once(0, 1000));
  LONGS_EQUAL(3, each.at_once(16, 3));
  LONGS_EQUAL(100, some.at_once(0, 1000));  // the row is the last of them
  LONGS_EQUAL(70, some.at_once(30, 1000));
  LONGS_EQUAL(16, some.at_once(95, 1000));  // the row is one of the last
  LONGS_EQUAL(16, some.at_once(990, 16));
  LONGS_EQUAL(40, some.at_once(960, 1000));  // to the last row
}

TEST(TickCosts, OnlyRowsAskAndTheLastIsOne) {
  TickCosts own = costs(42, 20);
  teller.cycles = {5};
  for (std::uint64_t step = 0; step < 42; step += 2) own.after_steps(step, 2);
  LONGS_EQUAL(3, teller.asked);  // 20, 40, 42
  TickCosts control = costs(46, 20);
  for (std::uint64_t step = 0; step < 46; step += 3) control.after_tick(step, 3);
  LONGS_EQUAL(3 + 4, teller.asked);  // of 0, 18 to 20, 39 to 41, and of 45
}

TEST(TickCosts, OfAControllerATickHoldsAsItsTorquesDo) {
  TickCosts own = costs(9, 1);
  teller.cycles = {30, 20, 10};
  own.after_tick(0, 4);
  DOUBLES_EQUAL(30, own.at(0), 0);
  DOUBLES_EQUAL(30, own.at(3), 0);
  own.no_tick(4);
  DOUBLES_EQUAL(0, own.at(4), 0);
  teller.cycles = {40, 30, 20};
  own.after_tick(8, 4);
  DOUBLES_EQUAL(0, own.at(7), 0);
  DOUBLES_EQUAL(40, own.at(8), 0);
  DOUBLES_EQUAL(40, own.at(9), 0);
}
