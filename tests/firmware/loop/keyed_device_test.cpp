#include "loop/keyed_device.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "support/conversation.hpp"
#include "support/test_plant.hpp"

using namespace lockstep;
using namespace lockstep::test;
using link::LoopState;

namespace {

constexpr link::Key kKey = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6};
using Plant = firmware::KeyedDevice<TestPlant<float>>;

// A host that speaks to a plant through a line of bytes.
struct Line {
  std::unique_ptr<Plant> plant = std::make_unique<Plant>(kKey, 3);
  link::Seal seal{kKey, link::End::kHost, 50};
  link::FrameReader<link::kLargestPayload> reader;
  std::uint16_t sequence = 0;
  std::uint32_t session = 0;

  Bytes sealed(std::uint8_t type, const Bytes& payload) {
    const link::Header header{type, sequence, 0, session};
    Bytes room(payload.size() + link::Seal::kBytes);
    link::ByteWriter to(room);
    seal.close(header, payload, to);
    return frame_of(header, room);
  }
  void send(const Bytes& bytes) {
    for (const std::uint8_t byte : bytes) plant->receive(byte);
  }
  // the frame's plain payload; none if the plant is silent
  std::optional<Bytes> hear() {
    plant->poll();
    while (!plant->outgoing().empty()) {
      const link::Frame* frame = reader.push(plant->outgoing().front());
      plant->sent();
      link::Frame plain;
      if (frame == nullptr || !seal.open(*frame, plain)) continue;
      LONGS_EQUAL(sequence, plain.header.sequence);
      return Bytes(plain.payload.begin(), plain.payload.end());
    }
    return {};
  }
  template <class Message>
  std::optional<Bytes> ask(const Message& message) {
    ++sequence;
    send(sealed(link::request_type(Message::kType), payload_of(message)));
    return hear();
  }
  void open() {
    const auto told = ask(link::Hello());
    CHECK_TRUE(told.has_value());
    link::HelloReply hello;
    link::ByteReader from(*told);
    CHECK_TRUE(hello.read(from));
    session = hello.session;
    CHECK_TRUE(Status::kOk == static_cast<Status>(ask(link::Open()).value().at(0)));
  }
};

}  // namespace

TEST_GROUP(KeyedDevice) { Line line; };

TEST(KeyedDevice, ASessionGoesThroughIt) {
  line.open();
  const auto told = line.ask(link::Report());
  CHECK_TRUE(told.has_value() && static_cast<Status>(told->at(0)) == Status::kOk);
  LONGS_EQUAL(0, line.plant->refused());
}

TEST(KeyedDevice, WithoutTheKeyNobodyIsAnswered) {
  line.sequence = 1;
  line.send(frame_of({link::request_type(link::MessageType::kHello), 1, 0, 0}, {}));
  CHECK_FALSE(line.hear().has_value());
  line.open();
  // neither plain, nor a forged Stop behind a good session
  line.send(
      frame_of({link::request_type(link::MessageType::kStop), 9, 0, line.session}, Bytes(24)));
  CHECK_FALSE(line.hear().has_value());
  LONGS_EQUAL(2, line.plant->refused());
}

TEST(KeyedDevice, ARecordedRequestIsNotActedOnButOneAskedAgainIsAnswered) {
  line.open();
  ++line.sequence;
  const Bytes payload = payload_of(link::Report());
  const std::uint8_t type = link::request_type(link::MessageType::kReport);
  const Bytes request = line.sealed(type, payload);
  line.send(request);
  const auto first = line.hear();
  CHECK_TRUE(first.has_value());
  line.send(request);  // the same bytes: from a recorder
  CHECK_FALSE(line.hear().has_value());
  line.send(
      line.sealed(type, payload));  // the same request, sealed anew: from a host that heard nothing
  const auto again = line.hear();
  CHECK_TRUE(again.has_value() && *again == *first);
}

TEST(KeyedDevice, ADamagedFrameCostsItselfOnly) {
  line.open();
  Bytes bad =
      line.sealed(link::request_type(link::MessageType::kReport), payload_of(link::Report()));
  bad[5] ^= 1;
  line.send(bad);
  CHECK_FALSE(line.hear().has_value());
  CHECK_TRUE(line.ask(link::Report()).has_value());
}

TEST(KeyedDevice, NeverAsksAnAllocator) {
  const Bytes hello = line.sealed(link::request_type(link::MessageType::kHello), {});
  LONGS_EQUAL(0, allocations_in([&] {
                for (const std::uint8_t byte : hello) line.plant->receive(byte);
                while (!line.plant->outgoing().empty()) line.plant->sent();
              }));
}
