// Against the frames that the drives' documentation prints (docs/protocol/can.md of mjbots/moteus),
// and a bus with drives behind it that decode commands on their own.
#include "drives/moteus.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "drives/moteus_port.hpp"

using namespace lockstep;
using namespace lockstep::drives;
using moteus::Mode;
using moteus::Register;

namespace {

std::string hex(const CanFrame& frame) {
  std::string text;
  for (const std::uint8_t byte : frame.bytes()) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}
CanFrame frame_of(std::uint32_t id, const std::string& text) {
  CanFrame frame;
  frame.id = id;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    frame.data[frame.size++] =
        static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16));
  }
  return frame;
}
void near(double expected, float actual) {
  DOUBLES_EQUAL(expected, static_cast<double>(actual), 1e-6);
}

}  // namespace

TEST_GROUP(Moteus){};

TEST(Moteus, TheDocumentedAnswerIsUnderstood) {
  moteus::Answer answer;
  CHECK_TRUE(read_answer(frame_of(0x100, "2404000a005000000170ff230d181400"), answer));
  LONGS_EQUAL(1, answer.id);
  CHECK_TRUE(answer.mode == Mode::kPosition && answer.has_mode);
  near(2.88 / 360, answer.position);
  near(23.04 / 360, answer.velocity);
  near(-1.44, answer.torque);
  LONGS_EQUAL(0, answer.fault);
}

TEST(Moteus, EveryTypeOfNumberIsUnderstood) {
  moteus::Answer answer;
  // int8: mode 1, -0.5 revolutions, 3.2 Hz, 1 N m
  CHECK_TRUE(read_answer(frame_of(0x200, "20040001ce2002"), answer));
  CHECK_TRUE(answer.mode == Mode::kFault);
  near(-0.5, answer.position), near(3.2, answer.velocity), near(1, answer.torque);
  // int32: 123456 of 1e-5 revolutions
  CHECK_TRUE(read_answer(frame_of(0x200, "290140e20100"), answer));
  near(1.23456, answer.position);
  // float: 0.25, and padding
  CHECK_TRUE(read_answer(frame_of(0x200, "2d010000803e5050"), answer));
  near(0.25, answer.position);
  // the most negative integer is no number
  CHECK_TRUE(read_answer(frame_of(0x200, "25010080"), answer));
  CHECK_TRUE(std::isnan(answer.position));
}

TEST(Moteus, WhatIsNoAnswerIsRefused) {
  moteus::Answer answer;
  answer.fault = 77;
  for (const char* text : {"2404000a0050000001",       // cut
                           "01000a",                   // a command
                           "300021",                   // a drive that refuses a register
                           "2d01000080",               // half a float
                           "20ffffffffff7f", "24"}) {  // counts without end
    CHECK_FALSE(read_answer(frame_of(0x100, text), answer));
    LONGS_EQUAL(77, answer.fault);
  }
  // any bytes: it ends, and does not read beyond them
  std::uint32_t random = 1;
  for (int i = 0; i < 50'000; ++i) {
    CanFrame frame;
    const auto next = [&] { return random = random * 1664525 + 1013904223, random >> 24; };
    frame.size = static_cast<std::uint8_t>(next() % 65);
    for (std::uint8_t& byte : frame.data) byte = static_cast<std::uint8_t>(next());
    static_cast<void>(read_answer(frame, answer));
  }
}

// The subframes of the documentation's command in floats, by hand.
TEST(Moteus, ATorqueIsPositionModeWithoutGains) {
  const CanFrame frame = moteus::torque_command(5, -1.5f, 3, 0.02f);
  LONGS_EQUAL(0x8005, frame.id);
  STRCMP_EQUAL(
      "01000a"  // mode: position
      "0c0620"
      "0000c07f"
      "00000000"  // position NaN, velocity 0
      "0000c0bf"
      "00000000"
      "00000000"  // torque -1.5, gains 0
      "00004040"  // at most 3
      "0d27"
      "0ad7a33c"  // for 0.02 s
      "1100"
      "1f01"
      "110f"  // mode; position, velocity, torque; fault
      "505050505050",
      hex(frame).substr(0, 96).c_str());
  LONGS_EQUAL(48, frame.size);
  STRCMP_EQUAL(
      "010000"
      "1100"
      "1f01"
      "110f"
      "505050",
      hex(moteus::mode_command(1, Mode::kStopped)).c_str());
}

TEST(Moteus, SizesAreThoseOfCanFd) {
  LONGS_EQUAL(0, can_fd_size(0));
  LONGS_EQUAL(8, can_fd_size(8));
  LONGS_EQUAL(12, can_fd_size(9));
  LONGS_EQUAL(48, can_fd_size(33));
  LONGS_EQUAL(64, can_fd_size(49));
}

namespace {

// Drives that stand for the real ones: they take apart commands byte by byte, without the builder.
struct Drives {
  struct Drive {
    std::uint8_t mode = 0, fault = 0;
    float position = 0, velocity = 0, torque = 0;
    bool is_dead = false;
  };
  std::vector<Drive> drives = std::vector<Drive>(3);  // of id 1, 2
  std::vector<CanFrame> answers;
  bool is_full = false;

  static inline std::uint32_t now_us;
  static std::uint32_t now() { return now_us; }

  bool send(const CanFrame& frame) {
    if (is_full) return false;
    Drive& drive = drives.at(frame.id & 0x7F);
    if (drive.is_dead) return true;
    LONGS_EQUAL(0x01, frame.data[0]);
    LONGS_EQUAL(0x00, frame.data[1]);
    drive.mode = frame.data[2];
    if (drive.mode == 10) std::memcpy(&drive.torque, &frame.data[14], 4);
    if (drive.fault != 0) drive.mode = 1;
    CanFrame answer;
    answer.id = (frame.id & 0x7F) << 8;
    const auto put = [&](const void* from, std::size_t size) {
      std::memcpy(&answer.data[answer.size], from, size);
      answer.size = static_cast<std::uint8_t>(answer.size + size);
    };
    put("\x21\x00", 2), put(&drive.mode, 1), put("\x2f\x01", 2);
    put(&drive.position, 4), put(&drive.velocity, 4), put(&drive.torque, 4);
    put("\x21\x0f", 2), put(&drive.fault, 1);
    answers.push_back(answer);
    return true;
  }
  bool receive(CanFrame& frame) {
    if (answers.empty()) return false;
    frame = answers.front();
    answers.erase(answers.begin());
    return true;
  }
};

struct TwoJoints {
  Drives bus;
  MoteusPort<2, Drives, Drives> port{
      {MoteusMotor{.id = 1, .most = 9}, MoteusMotor{.id = 2, .sign = -1, .zero = 0.5f, .most = 9}},
      bus};
  float q[2] = {}, v[2] = {};
  std::uint32_t age = 0;

  TwoJoints() {
    Drives::now_us = 4'294'967'000;  // about to wrap
    port.start(2);
    CHECK_TRUE(Status::kOk == read() && age == 0);
    port.enable(true);
    write(0, 0);
  }
  Status read() { return port.read(std::span<float>(q), std::span<float>(v), age); }
  void write(float a, float b) {
    const float tau[] = {a, b};
    port.write(std::span<const float>(tau));
  }
};

}  // namespace

TEST_GROUP(MoteusPort){};

TEST(MoteusPort, TurnsAndSignsAreTheJoints) {
  TwoJoints two;
  two.bus.drives[1].position = 0.25f, two.bus.drives[2].position = 0.25f;
  two.bus.drives[2].velocity = 2;
  two.write(1.5f, 2.5f);
  Drives::now_us += 700;
  CHECK_TRUE(Status::kOk == two.read());
  const double turn = 6.283185307179586;
  near(turn / 4, two.q[0]), near(0.5 - turn / 4, two.q[1]);
  near(0, two.v[0]), near(-2 * turn, two.v[1]);
  near(1.5, two.bus.drives[1].torque), near(-2.5, two.bus.drives[2].torque);
}

TEST(MoteusPort, AgeIsThatOfTheOldestAnswer) {
  TwoJoints two;
  CHECK_TRUE(Status::kOk == two.read());
  two.bus.drives[2].is_dead = true;
  for (int i = 1; i <= 5; ++i) {
    Drives::now_us += 1000;
    two.write(0, 0);
    CHECK_TRUE(Status::kOk == two.read());
    LONGS_EQUAL(1000 * i, two.age);
  }
  two.port.start(2);  // and before any answer it is older than everything
  CHECK_TRUE(Status::kOk == two.read());
  CHECK_TRUE(two.age == ~std::uint32_t{0});
}

TEST(MoteusPort, FaultsTimeOutsAndDrivesThatDoNotFollowAreTold) {
  for (const int trouble : {0, 1, 2, 3}) {
    TwoJoints two;
    CHECK_TRUE(Status::kOk == two.read());
    if (trouble == 0) two.bus.drives[2].fault = 33;
    if (trouble == 1) two.bus.is_full = true;
    two.write(0, 0);
    if (trouble == 2) two.bus.answers.front().data[2] = 11;
    if (trouble == 3) {
      two.bus.answers.front().data[2] = 0;  // still stopped
      CHECK_TRUE(Status::kOk == two.read());
      Drives::now_us += 200'000;
    }
    CHECK_TRUE(Status::kDriveFault == two.read());
  }
}

TEST(MoteusPort, OffIsOff) {
  TwoJoints two;
  two.write(3, 3);
  two.port.make_safe();
  LONGS_EQUAL(0, two.bus.drives[1].mode);
  two.write(3, 3);
  LONGS_EQUAL(0, two.bus.drives[1].mode);
  LONGS_EQUAL(0, two.bus.drives[2].mode);
  two.port.set_rest(port::Rest::kBrake);
  two.port.make_safe();
  LONGS_EQUAL(15, two.bus.drives[2].mode);
}

TEST(MoteusPort, AnotherNumberOfJointsIsRefused) {
  TwoJoints two;
  two.port.start(3);
  CHECK_TRUE(Status::kDriveFault == two.read());
}
