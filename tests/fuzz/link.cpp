#include <array>
#include <cmath>
#include <memory>

#include "fuzz/targets.hpp"
#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"
#include "lockstep/link/seal.hpp"
#include "support/test_plant.hpp"

namespace lockstep::fuzz {

using namespace link;

namespace {

template <class Message>
void read_as(Message message, Bytes payload) {
  ByteReader from(payload);
  static_cast<void>(message.read(from));
}

void read_all(Bytes payload) {
  std::array<float, 7> numbers[6];
  std::array<std::uint32_t, 7> words[2];
  const std::span<float> a(numbers[0]), b(numbers[1]), c(numbers[2]), d(numbers[3]), e(numbers[4]);
  read_as(Ack(), payload);
  read_as(HelloReply(), payload);
  read_as(ModelBegin(), payload);
  read_as(ModelBodies<float>(), payload);
  read_as(ModelEnd(), payload);
  read_as(Configure<float>(), payload);
  read_as(link::Limits<float>{a, b, c, d, e}, payload);
  read_as(Waves<float>{a, b, words[0], words[1]}, payload);
  read_as(SetState<float>{0, a, b, c}, payload);
  read_as(Step<float>{0, a}, payload);
  read_as(StateReply<float>{.q = a, .v = b, .tau = c}, payload);
  read_as(Solve<float>{a, b, c}, payload);
  read_as(SolveReply<float>{.vdot = a, .reaction = b}, payload);
  read_as(Control<float>{a, b, c, d, e}, payload);
  read_as(ControlReply<float>{.tau = a}, payload);
  read_as(ReportReply(), payload);
  read_as(Servo<float>{.stiffness = a, .damping = b}, payload);
  read_as(Reference<float>{.q = a, .v = b, .a = c}, payload);
  read_as(Measured<float>{.q = a, .v = b}, payload);
  read_as(MeasuredReply<float>{.v = a, .tau = b}, payload);
  read_as(LatenessReply(), payload);
  read_as(TickTimesReply(), payload);
  read_as(Fault(), payload);
  read_as(FaultReply(), payload);
  ByteReader from(payload);
  static_cast<void>(take_body<float>(from));
}

}  // namespace

// Raw bytes on the line; and what a frame holds, as a payload of every message, plain and sealed.
bool frames(Bytes bytes) {
  FrameReader<256> reader;
  Seal seal({}, End::kTarget, 1);
  for (const std::uint8_t byte : bytes) {
    const Frame* frame = reader.push(byte);
    if (frame == nullptr) continue;
    complain_unless(frame->payload.size() <= 256, "a payload is larger than there is room");
    read_all(frame->payload);
    Frame plain;
    complain_unless(!seal.open(*frame, plain) || frame->payload.size() >= Seal::kBytes,
                    "a seal out of nothing");
  }
  read_all(bytes);
  return reader.good() + reader.foreign() != 0;
}

// A host that says anything, over a line that takes a few bytes at a time: of each three bytes of
// input, the first says what comes (7: raw noise, 6: take all answers away, 0 to 4: a request), the
// next two how much.
bool session(Bytes bytes) {
  static std::unique_ptr<test::TestPlant<float>> plant;
  plant = std::make_unique<test::TestPlant<float>>();
  FrameWriter<kLargestPayload> writer;
  FrameReader<kLargestPayload> reader;
  std::uint16_t sequence = 0;
  std::uint32_t session = 0;
  std::uint64_t step = 0;
  bool greeted = false, stepped = false;
  const auto take = [&](std::size_t count) {
    for (; count != 0 && !plant->outgoing().empty(); --count) {
      const Frame* frame = reader.push(plant->outgoing().front());
      plant->sent();
      if (frame == nullptr) continue;
      step = frame->header.step;
      ByteReader from(frame->payload);
      const auto status = static_cast<Status>(from.take<std::uint8_t>());
      if (frame->header.type == reply_type(MessageType::kHello)) {
        HelloReply hello;
        ByteReader whole(frame->payload);
        greeted = hello.read(whole);
        session = hello.session;
      } else if (frame->header.type == reply_type(MessageType::kStep) && status == Status::kOk) {
        from.take_bytes(1 + 8);
        for (int vector = 0; vector < 3; ++vector) {
          const auto count_of = from.take<std::uint16_t>();
          for (int i = 0; i < count_of; ++i) {
            complain_unless(std::isfinite(from.take<float>()),
                            "a state that is not finite, with kOk");
          }
        }
        stepped = true;
        complain_unless(from.at_end(), "a state's reply is not whole");
      }
    }
  };
  const auto say = [&](std::uint8_t type, Bytes payload, std::uint32_t of) {
    writer.begin({type, ++sequence, step, of}).put_bytes(payload);
    for (const std::uint8_t byte : writer.finish()) plant->receive(byte);
  };
  std::size_t at = 0;
  for (int i = 0; i < 64 && at + 3 <= bytes.size(); ++i) {
    const std::uint8_t what = bytes[at];
    std::size_t size = bytes[at + 1] | std::size_t(bytes[at + 2] & 1) << 8;
    test::FakeBoard::now_ticks += bytes[at + 2] >> 4;
    at += 3;
    size = std::min(size, bytes.size() - at);
    std::array<std::uint8_t, 512> payload;
    std::copy_n(bytes.begin() + std::ptrdiff_t(at), size, payload.begin());
    const std::uint8_t type = what & 0x1F;
    if ((what & 0x80) != 0) {
      for (std::size_t k = 0; k < size; ++k) plant->receive(payload[k]);
    } else {
      // steps by the hundred thousand take long, and show nothing more
      if (type == request_type(MessageType::kStep) && size >= 4)
        payload[1] = payload[2] = payload[3] = 0;
      const bool is_hello = type == request_type(MessageType::kHello);
      say(type, std::span(payload).first(size), is_hello ? 0 : session);
    }
    at += size;
    plant->poll();
    take((what & 0x40) != 0 ? std::size_t(-1) : 5);
  }
  // whatever was said: it answers
  for (int i = 0; i < 300 && plant->is_busy(); ++i) plant->poll();
  plant->receive(0);
  take(std::size_t(-1));
  greeted = false;
  say(request_type(MessageType::kHello), {}, 0);
  take(std::size_t(-1));
  complain_unless(greeted, "a hello is not answered");
  return stepped;
}

}  // namespace lockstep::fuzz
