// A host and a device in one memory: frames in, what the device says out, byte by byte as on a
// line.
#pragma once

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/hash.hpp"
#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"
#include "support/allocation_guard.hpp"

namespace lockstep::test {

using Bytes = std::vector<std::uint8_t>;

struct Heard {
  link::Header header;
  Bytes payload;

  // A payload of every reply begins with these two.
  Status status() const { return static_cast<Status>(payload.at(0)); }
  link::LoopState state() const { return static_cast<link::LoopState>(payload.at(1)); }
};

template <class Message>
Bytes payload_of(const Message& message) {
  Bytes room(link::kLargestPayload);
  link::ByteWriter to(room);
  message.write(to);
  CHECK_TRUE(to.ok());
  return {to.written().begin(), to.written().end()};
}

inline Bytes frame_of(const link::Header& header, std::span<const std::uint8_t> payload) {
  const auto writer = std::make_unique<link::FrameWriter<link::kLargestPayload>>();
  writer->begin(header).put_bytes(payload);
  const auto frame = writer->finish();
  return {frame.begin(), frame.end()};
}

template <class Device>
class Conversation {
 public:
  Conversation() {
    link::HelloReply hello;
    ask(link::Hello(), hello);
    session_ = hello.session;
    CHECK_TRUE(Status::kOk == tell(link::Open()));
  }
  std::uint32_t session() const { return session_; }

  Device& device() { return *device_; }

  void send(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) device_->receive(byte);
  }

  // The next frame that the device says, when it is done; nothing if it is silent.
  std::optional<Heard> hear() {
    while (device_->is_busy()) device_->poll();
    while (!device_->outgoing().empty()) {
      if (const auto heard = hear_byte()) return heard;
    }
    LONGS_EQUAL(0, reader_->damaged());
    return {};
  }
  // The frame that ends with the next byte that the device says.
  std::optional<Heard> hear_byte() {
    if (device_->outgoing().empty()) return {};
    const link::Frame* frame = reader_->push(device_->outgoing().front());
    device_->sent();
    if (frame == nullptr) return {};
    return Heard{frame->header, {frame->payload.begin(), frame->payload.end()}};
  }

  // The request that `ask` would send next.
  template <class Message>
  Bytes next_frame(const Message& message, std::uint64_t step = 0) {
    return next_frame(link::request_type(Message::kType), payload_of(message), step);
  }
  Bytes next_frame(std::uint8_t type, std::span<const std::uint8_t> payload, std::uint64_t step) {
    sequence_ = sequence_ == 0xFFFF ? std::uint16_t{1} : static_cast<std::uint16_t>(sequence_ + 1);
    return frame_of({type, sequence_, step, session_}, payload);
  }

  // Sends a frame and takes the one answer to it, of the frame's own sequence.
  Heard answer_to(std::span<const std::uint8_t> frame) {
    send(frame);
    std::optional<Heard> heard = hear();
    CHECK_TRUE(heard.has_value());
    LONGS_EQUAL(sequence_, heard->header.sequence);
    CHECK_FALSE(hear().has_value());
    return *heard;
  }
  template <class Message>
  Heard ask(const Message& message, std::uint64_t step = 0) {
    return answer_to(next_frame(message, step));
  }
  template <class Message, class Reply>
  Heard ask(const Message& message, Reply& reply, std::uint64_t step = 0) {
    const Heard heard = ask(message, step);
    link::ByteReader from(heard.payload);
    CHECK_TRUE(reply.read(from));
    return heard;
  }
  template <class Message>
  Status tell(const Message& message, std::uint64_t step = 0) {
    return ask(message, step).status();
  }
  link::ReportReply report() {
    link::ReportReply reply;
    ask(link::Report(), reply);
    return reply;
  }
  // All that a plant is: its step, and the bits of hash, q, v and tau.
  Bytes plant_bits() {
    const Heard heard = ask(link::State());
    Bytes bits(heard.payload.begin() + 2, heard.payload.end());
    for (int i = 0; i < 64; i += 8) {
      bits.push_back(static_cast<std::uint8_t>(heard.header.step >> i));
    }
    return bits;
  }

  // Feeds the frames and lets the answers go by; returns how often the device asked an allocator.
  int allocations_over(const std::vector<Bytes>& frames) {
    return allocations_in([&] {
      for (const Bytes& frame : frames) {
        for (const std::uint8_t byte : frame) device_->receive(byte);
        do device_->poll();
        while (device_->is_busy());
        while (!device_->outgoing().empty()) device_->sent();
      }
    });
  }

 private:
  std::unique_ptr<Device> device_ = std::make_unique<Device>();
  std::unique_ptr<link::FrameReader<link::kLargestPayload>> reader_ =
      std::make_unique<link::FrameReader<link::kLargestPayload>>();
  std::uint16_t sequence_ = 0;
  std::uint32_t session_ = 0;
};

template <class T>
Bytes bytes_of_body(const Body& body) {
  Bytes bytes(link::kBodyBytes<T>);
  link::ByteWriter to(bytes);
  link::put_body(to, to_body_data<T>(body, {}));
  return bytes;
}

inline constexpr std::uint64_t kModelHash = 0x1234'5678'9ABC'DEF0;

// As the loop's own settings are, for the robot of send_model.
template <class T>
link::Configure<T> configuration() {
  return {.model_hash = kModelHash,
          .dt = T(0.001),
          .gravity = {T(0), T(0), T(-9.81)},
          .kp = T(100),
          .kd = T(20)};
}

// Two bodies a frame, the last one maybe alone; and the settings, without which nothing starts.
template <class T, class Device>
void send_model(Conversation<Device>& line, std::span<const Body> bodies) {
  CHECK_TRUE(Status::kOk ==
             line.tell(link::ModelBegin{static_cast<std::uint16_t>(bodies.size()), kModelHash}));
  Hash hash;
  for (std::size_t first = 0; first < bodies.size(); first += 2) {
    Bytes bytes;
    const std::size_t end = std::min(first + 2, bodies.size());
    for (std::size_t i = first; i < end; ++i) {
      const Bytes body = bytes_of_body<T>(bodies[i]);
      bytes.insert(bytes.end(), body.begin(), body.end());
    }
    hash.add_all(bytes);
    CHECK_TRUE(Status::kOk ==
               line.tell(link::ModelBodies<T>{static_cast<std::uint16_t>(first),
                                              static_cast<std::uint16_t>(end - first), bytes}));
  }
  CHECK_TRUE(Status::kOk == line.tell(link::ModelEnd{hash.value()}));
  CHECK_TRUE(Status::kOk == line.tell(configuration<T>()));
}

}  // namespace lockstep::test
