// Frames of the moteus drives' register protocol over CAN-FD, as published in its documentation
// (github.com/mjbots/moteus, docs/protocol/can.md and registers.md): commands of torque, answers.
// Revolutions and N m, at the output shaft.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "drives/can.hpp"

namespace lockstep::drives::moteus {

enum class Register : std::uint16_t {
  kMode = 0x000,
  kPosition = 0x001,  // revolutions
  kVelocity = 0x002,  // revolutions a second
  kTorque = 0x003,    // N m
  kFaultCode = 0x00F,
  kPositionCommand = 0x020,  // NaN: the present one
  kVelocityCommand = 0x021,
  kFeedforwardTorque = 0x022,
  kKpScale = 0x023,
  kKdScale = 0x024,
  kMaximumTorque = 0x025,
  kStopPosition = 0x026,
  kWatchdogTimeout = 0x027,  // s
};

enum class Mode : std::uint8_t {
  kStopped = 0,
  kFault = 1,
  kPosition = 10,
  kTimeout = 11,
  kBrake = 15,
};

// The first byte of a subframe: its kind, the type of its values in bits 2 and 3, their number in
// bits 0 and 1; 0: the next byte tells.
enum class Subframe : std::uint8_t {
  kWrite = 0x00,
  kRead = 0x10,
  kReply = 0x20,
  kWriteError = 0x30,
  kReadError = 0x31,
  kNoOperation = 0x50,
};
enum class Type : std::uint8_t { kInt8 = 0, kInt16 = 1, kInt32 = 2, kFloat = 3 };

constexpr std::size_t size_of(Type type) {
  return type == Type::kFloat ? 4 : std::size_t{1} << static_cast<unsigned>(type);
}

class FrameBuilder {
 public:
  // From `source` to the drive `id`; it answers if it is to.
  FrameBuilder(std::uint8_t source, std::uint8_t id, bool answers) {
    constexpr std::uint32_t kAnswer = 0x8000;
    frame_.id = (answers ? kAnswer : 0) | static_cast<std::uint32_t>(source) << 8 | id;
  }
  FrameBuilder& write(Register first, Mode mode) {
    begin(Subframe::kWrite, Type::kInt8, 1, first);
    put(static_cast<std::uint8_t>(mode));
    return *this;
  }
  FrameBuilder& write(Register first, std::span<const float> values) {
    begin(Subframe::kWrite, Type::kFloat, values.size(), first);
    for (const float value : values) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      for (int shift = 0; shift < 32; shift += 8) put(static_cast<std::uint8_t>(bits >> shift));
    }
    return *this;
  }
  FrameBuilder& read(Register first, Type type, std::size_t count) {
    begin(Subframe::kRead, type, count, first);
    return *this;
  }
  // Padded with no operation.
  CanFrame finish() {
    const std::uint8_t size = can_fd_size(frame_.size);
    while (frame_.size < size) put(static_cast<std::uint8_t>(Subframe::kNoOperation));
    return frame_;
  }

 private:
  // Registers and counts that are used here are below 128: one byte of a varuint.
  void begin(Subframe kind, Type type, std::size_t count, Register first) {
    const unsigned head = static_cast<unsigned>(kind) | static_cast<unsigned>(type) << 2;
    put(static_cast<std::uint8_t>(count < 4 ? head | count : head));
    if (count >= 4) put(static_cast<std::uint8_t>(count));
    put(static_cast<std::uint8_t>(first));
  }
  void put(std::uint8_t byte) {
    if (frame_.size < frame_.data.size()) frame_.data[frame_.size++] = byte;
  }

  CanFrame frame_;
};

// Asks for what Answer holds.
inline FrameBuilder& ask(FrameBuilder& frame) {
  return frame.read(Register::kMode, Type::kInt8, 1)
      .read(Register::kPosition, Type::kFloat, 3)
      .read(Register::kFaultCode, Type::kInt8, 1);
}

// This torque and no other, until the next command or `timeout`, s: then the drive lets go by
// itself.
inline CanFrame torque_command(std::uint8_t id, float torque, float most, float timeout) {
  constexpr float kPresent = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {kPresent, 0, torque, 0, 0, most};  // from position to maximum torque
  FrameBuilder frame(0, id, true);
  frame.write(Register::kMode, Mode::kPosition)
      .write(Register::kPositionCommand, values)
      .write(Register::kWatchdogTimeout, {&timeout, 1});
  return ask(frame).finish();
}
// Stopped, which forgets faults too, or the brake of shorted windings.
inline CanFrame mode_command(std::uint8_t id, Mode mode) {
  FrameBuilder frame(0, id, true);
  frame.write(Register::kMode, mode);
  return ask(frame).finish();
}
inline CanFrame query(std::uint8_t id) {
  FrameBuilder frame(0, id, true);
  return ask(frame).finish();
}

struct Answer {
  std::uint8_t id = 0;
  Mode mode = Mode::kStopped;
  float position = 0, velocity = 0, torque = 0;
  std::uint8_t fault = 0;
  bool has_mode = false, has_position = false, has_velocity = false;
};

class AnswerReader {
 public:
  explicit AnswerReader(const CanFrame& frame) : rest_(frame.bytes()) {
    answer_.id = static_cast<std::uint8_t>(frame.id >> 8 & 0x7F);
  }

  // False: it is no answer, or a drive refused a register.
  bool read(Answer& answer) {
    for (std::size_t i = 0; i < CanFrame().data.size() && !rest_.empty() && ok_; ++i) subframe();
    if (ok_) answer = answer_;
    return ok_;
  }

 private:
  void subframe() {
    const std::uint32_t head = take(1);
    if (head == static_cast<std::uint32_t>(Subframe::kNoOperation)) return;
    ok_ = ok_ && (head & 0xF0) == static_cast<std::uint32_t>(Subframe::kReply);
    const Type type{static_cast<std::uint8_t>(head >> 2 & 3)};
    const std::uint32_t count = (head & 3) != 0 ? head & 3 : varuint();
    const std::uint32_t first = varuint();
    ok_ = ok_ && count <= rest_.size();
    for (std::uint32_t i = 0; i < count && ok_; ++i) keep(first + i, type);
  }

  void keep(std::uint32_t number, Type type) {
    const std::uint32_t bits = take(size_of(type));
    switch (static_cast<Register>(number)) {
      case Register::kMode:
        answer_.mode = static_cast<Mode>(whole(bits, type));
        answer_.has_mode = true;
        break;
      case Register::kFaultCode:
        answer_.fault = static_cast<std::uint8_t>(whole(bits, type));
        break;
      case Register::kPosition:
        answer_.position = scaled(bits, type, 0.01f, 1e-4f, 1e-5f);
        answer_.has_position = true;
        break;
      case Register::kVelocity:
        answer_.velocity = scaled(bits, type, 0.1f, 0.00025f, 1e-5f);
        answer_.has_velocity = true;
        break;
      case Register::kTorque: answer_.torque = scaled(bits, type, 0.5f, 0.01f, 0.001f); break;
      default: break;  // not asked for
    }
  }

  static std::int32_t signed_of(std::uint32_t bits, Type type) {
    const unsigned unused = 32 - 8 * static_cast<unsigned>(size_of(type));
    return static_cast<std::int32_t>(bits << unused) >> unused;
  }
  static std::uint8_t whole(std::uint32_t bits, Type type) {
    if (type != Type::kFloat) return static_cast<std::uint8_t>(bits);
    const float value = std::bit_cast<float>(bits);
    return value >= 0 && value <= 255 ? static_cast<std::uint8_t>(value) : std::uint8_t{255};
  }
  // What an integer counts in; the most negative one stands for no number.
  static float scaled(std::uint32_t bits, Type type, float int8, float int16, float int32) {
    if (type == Type::kFloat) return std::bit_cast<float>(bits);
    const std::int32_t value = signed_of(bits, type);
    if (value == signed_of(std::uint32_t{1} << (8 * size_of(type) - 1), type)) {
      return std::numeric_limits<float>::quiet_NaN();
    }
    const float unit = type == Type::kInt8 ? int8 : type == Type::kInt16 ? int16 : int32;
    return static_cast<float>(value) * unit;
  }

  std::uint32_t take(std::size_t bytes) {
    ok_ = ok_ && rest_.size() >= bytes;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < bytes && ok_; ++i) bits |= std::uint32_t{rest_[i]} << (8 * i);
    rest_ = rest_.subspan(ok_ ? bytes : rest_.size());
    return bits;
  }
  std::uint32_t varuint() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 35 && ok_; shift += 7) {
      const std::uint32_t byte = take(1);
      value |= shift < 32 ? (byte & 0x7F) << shift : 0;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }

  std::span<const std::uint8_t> rest_;
  Answer answer_;
  bool ok_ = true;
};

inline bool read_answer(const CanFrame& frame, Answer& answer) {
  return AnswerReader(frame).read(answer);
}

}  // namespace lockstep::drives::moteus
