#include "hil/client.hpp"

#include <CppUTest/TestHarness.h>

#include <thread>

#include "support/conversation.hpp"

using namespace lockstep;
using namespace lockstep::test;
using host::Error;
using host::hil::Client;
using host::hil::Refused;
using namespace std::chrono_literals;

namespace {

// Answers the n-th request, counted from 1, with the bytes that a test says.
class ScriptedTarget final : public host::hil::Transport {
 public:
  using Script = std::function<Bytes(int n, const link::Header& asked)>;
  explicit ScriptedTarget(Script script) : script_(std::move(script)) {}

  void write(std::span<const std::uint8_t> bytes) override {
    requests.emplace_back(bytes.begin(), bytes.end());
    for (const std::uint8_t byte : bytes) {
      const link::Frame* frame = reader_->push(byte);
      if (frame == nullptr) continue;
      const Bytes answer = script_(static_cast<int>(requests.size()), frame->header);
      said_.insert(said_.end(), answer.begin(), answer.end());
    }
  }
  std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) override {
    if (said_.empty()) std::this_thread::sleep_for(wait);
    const std::size_t count = std::min(bytes.size(), said_.size());
    std::copy_n(said_.begin(), count, bytes.begin());
    said_.erase(said_.begin(), said_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  std::string ended() override { return end; }

  std::vector<Bytes> requests;
  std::string end;

 private:
  using Reader = link::FrameReader<link::kLargestPayload>;

  Script script_;
  std::unique_ptr<Reader> reader_ = std::make_unique<Reader>();
  Bytes said_;
};

Bytes reply_to(link::Header asked, const link::Ack& ack = {}) {
  asked.type |= link::kReplyBit;
  return frame_of(asked, payload_of(ack));
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A whole frame of a version that is not ours.
Bytes foreign_frame(std::uint8_t version) {
  Bytes plain(link::kHeaderBytes, 1);
  plain.front() = version;
  const std::uint32_t crc = link::Crc(plain.begin(), plain.end()).value();
  for (int i = 0; i < 32; i += 8) plain.push_back(static_cast<std::uint8_t>(crc >> i));
  Bytes frame(link::cobs_size(plain.size()));
  frame.resize(link::cobs_encode(plain, frame.data()));
  frame.push_back(0);
  return frame;
}

Bytes silence(int, const link::Header&) { return {}; }

std::string complaint(auto&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

constexpr auto kPatience = 16ms;

}  // namespace

TEST_GROUP(Client){};

TEST(Client, AnAnswerThatComesIsAskedForOnce) {
  ScriptedTarget target([](int, const link::Header& asked) { return reply_to(asked); });
  Client client(target, "board");
  client.tell(link::Start());
  client.tell(link::Stop());
  LONGS_EQUAL(2, target.requests.size());
  CHECK_TRUE(target.requests[0] != target.requests[1]);
  LONGS_EQUAL(0, client.resent() + client.stale() + client.damaged());
}

TEST(Client, SilenceIsAskedAgainWithTheSameBytes) {
  ScriptedTarget target(
      [](int n, const link::Header& asked) { return n < 3 ? Bytes() : reply_to(asked); });
  Client client(target, "board", kPatience);
  client.tell(link::Start());
  LONGS_EQUAL(3, target.requests.size());
  CHECK_TRUE(target.requests[0] == target.requests[1] && target.requests[1] == target.requests[2]);
  LONGS_EQUAL(2, client.resent());
}

TEST(Client, AnswersToOthersAreIgnored) {
  ScriptedTarget target([](int, const link::Header& asked) {
    link::Header older = asked, other = asked;
    --older.sequence;
    other.type = link::request_type(link::MessageType::kStop);
    const link::Ack no{Status::kNotNow};
    return reply_to(older, no) + reply_to(other, no) + reply_to(asked);
  });
  Client client(target, "board");
  client.tell(link::Start());
  LONGS_EQUAL(2, client.stale());
  LONGS_EQUAL(0, client.resent());
}

TEST(Client, AnAnswerThatComesTwiceIsNoAnswerToTheNextRequest) {
  ScriptedTarget target([](int n, const link::Header& asked) {
    static Bytes late;
    if (n == 1) return late = reply_to(asked);
    return late + reply_to(asked, {Status::kNotNow});
  });
  Client client(target, "board");
  client.tell(link::Start());
  CHECK_THROWS(Refused, client.tell(link::Start()));
  LONGS_EQUAL(1, client.stale());
}

TEST(Client, ADamagedAnswerIsAskedForAgain) {
  ScriptedTarget target([](int n, const link::Header& asked) {
    Bytes reply = reply_to(asked);
    if (n == 1) reply[4] ^= 0x40;
    return reply;
  });
  Client client(target, "board", kPatience);
  client.tell(link::Start());
  LONGS_EQUAL(1, client.damaged());
  LONGS_EQUAL(1, client.resent());
}

TEST(Client, ARefusalTellsWhatAndWhy) {
  ScriptedTarget target([](int n, link::Header asked) {
    asked.step = 7;
    return reply_to(asked, {n == 1 ? Status::kNotNow : Status::kOutOfStep});
  });
  Client client(target, "board");
  STRCMP_EQUAL("board: refused 'start': the loop's state does not allow this message",
               complaint([&] { client.tell(link::Start()); }).c_str());
  STRCMP_EQUAL("board: refused 'step': the command is for another step (it is at 7)",
               complaint([&] {
                 client.tell(link::Step<const float>{1, {}}, 5);
               }).c_str());
}

TEST(Client, AnotherVersionIsTold) {
  ScriptedTarget target([](int, const link::Header&) { return foreign_frame(9); });
  Client client(target, "board", kPatience);
  STRCMP_EQUAL("board: speaks version 9 of the link, this host version 2; build both from one tree",
               complaint([&] { client.tell(link::Start()); }).c_str());
}

TEST(Client, AnAnswerThatIsNoneOfThisMessageIsTold) {
  ScriptedTarget target([](int, link::Header asked) {
    asked.type |= link::kReplyBit;
    return frame_of(asked, Bytes{0});
  });
  Client client(target, "board");
  STRCMP_EQUAL(
      "board: its answer to 'start' does not parse; host and firmware are of different versions",
      complaint([&] { client.tell(link::Start()); }).c_str());
}

TEST(Client, WhatTheTargetHasNoRoomForIsNotSent) {
  ScriptedTarget target(silence);
  Client client(target, "board");
  client.set_max_payload(9);
  STRCMP_EQUAL(
      "board: a message of 10 bytes, and the target takes 9; the robot is too large for it",
      complaint([&] { client.tell(link::ModelBegin{}); }).c_str());
  LONGS_EQUAL(0, target.requests.size());
}

TEST(Client, SilenceForTooLongIsToldWithItsLength) {
  ScriptedTarget target(silence);
  Client client(target, "board", kPatience);
  const auto begin = std::chrono::steady_clock::now();
  link::Ack ack;
  STRCMP_EQUAL(
      "board: no answer for 32 ms; is it powered, is Lockstep's firmware on it, is --baud right?",
      complaint([&] { client.ask(link::Start(), ack, 0, 2ms); }).c_str());
  CHECK_TRUE(std::chrono::steady_clock::now() - begin >= 32ms);
  LONGS_EQUAL(Client::kTries, target.requests.size());
}

TEST(Client, ATargetThatEndedIsNotAskedAgain) {
  ScriptedTarget target(silence);
  target.end = "it ended with code 3";
  Client client(target, "board", kPatience);
  STRCMP_EQUAL("board: it ended with code 3",
               complaint([&] { client.tell(link::Start()); }).c_str());
  LONGS_EQUAL(1, target.requests.size());
}
