// What all messages share: their types, the small enumerations they carry, and how fields become
// bytes. A message lists its fields in the order of the wire; docs/wire-format.md has the bytes.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "lockstep/link/bytes.hpp"
#include "lockstep/status.hpp"

namespace lockstep::link {

enum class MessageType : std::uint8_t {
  kHello = 1,
  kModelBegin = 2,
  kModelBodies = 3,
  kModelEnd = 4,
  kConfigure = 5,
  kLimits = 6,
  kWaves = 7,
  kSetState = 8,
  kStart = 9,
  kStop = 10,
  kStep = 11,
  kSolve = 12,
  kControl = 13,
  kReport = 14,
  kState = 15,
  kOpen = 16,
  kFault = 17,
  kServo = 18,
  kReference = 19,
  kMeasured = 20,
  kLateness = 21,
  kTickTimes = 22,
};

// A reply has the type of its request and this bit, and the request's sequence.
inline constexpr std::uint8_t kReplyBit = 0x80;

constexpr std::uint8_t request_type(MessageType type) { return static_cast<std::uint8_t>(type); }
constexpr std::uint8_t reply_type(MessageType type) {
  return static_cast<std::uint8_t>(request_type(type) | kReplyBit);
}

// Numbered from kFirst to kLast without a gap; other numbers are malformed.
enum class LoopState : std::uint8_t { kBoot = 0, kReady = 1, kRunning = 2, kSafe = 3 };
enum class Application : std::uint8_t { kPlant = 1, kDynamics = 2, kController = 3, kServo = 4 };
// What a servo computes torques by.
enum class ControlLaw : std::uint8_t { kGravity = 0, kSprings = 1, kComputedTorque = 2, kOwn = 3 };
enum class DriveMode : std::uint8_t {
  kFrames = 0,
  kTorqueWaves = 1,
  kTrackWaves = 2,
  kHoldWaves = 3,
};

// What a robot does in safe, where something moves it: nothing, brakes, resists, stays.
enum class SafePolicy : std::uint8_t { kOff = 0, kBrake = 1, kDamp = 2, kHold = 3 };

// Why a target began anew, as far as it knows.
enum class ResetReason : std::uint8_t {
  kUnknown = 0,
  kPower = 1,
  kPin = 2,
  kSoftware = 3,  // after a fault, for one
  kWatchdog = 4,
  kBrownOut = 5,
};

// Whose exceptions and registers a fault tells.
enum class Cpu : std::uint16_t { kArm = 0, kRiscv = 1 };
inline constexpr std::uint16_t kFirstRiscvInterrupt = 256;  // below: exceptions, by mcause

constexpr bool exists(Cpu) { return true; }  // a newer target may know more of them
constexpr bool exists(ResetReason) { return true; }
constexpr bool exists(ControlLaw value) { return value <= ControlLaw::kOwn; }
constexpr bool exists(SafePolicy value) { return value <= SafePolicy::kHold; }
constexpr bool exists(LoopState value) { return value <= LoopState::kSafe; }
constexpr bool exists(Application value) {
  return value >= Application::kPlant && value <= Application::kServo;
}
constexpr bool exists(DriveMode value) { return value <= DriveMode::kHoldWaves; }
constexpr bool exists(Status) { return true; }  // a newer target may know more of them

template <class Field>
void put_field(ByteWriter& to, const Field& field) {
  if constexpr (std::is_enum_v<Field>)
    to.put(static_cast<std::underlying_type_t<Field>>(field));
  else if constexpr (std::is_same_v<Field, bool>)
    to.put(static_cast<std::uint8_t>(field));
  else
    to.put(field);
}
template <class U>
void put_field(ByteWriter& to, const std::span<U>& vector) {
  to.put_vector(std::span<const U>(vector));
}
template <class U, std::size_t kSize>
void put_field(ByteWriter& to, const std::array<U, kSize>& values) {
  for (const U& value : values) to.put(value);
}

template <class Field>
void take_field(ByteReader& from, Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    field = static_cast<Field>(from.take<std::underlying_type_t<Field>>());
    if (!exists(field)) from.refuse();
  } else if constexpr (std::is_same_v<Field, bool>) {
    const auto byte = from.take<std::uint8_t>();
    if (byte > 1) from.refuse();
    field = byte == 1;
  } else {
    field = from.take<Field>();
  }
}
template <class U>
void take_field(ByteReader& from, std::span<U>& vector) {
  from.take_vector(vector);
}
template <class U, std::size_t kSize>
void take_field(ByteReader& from, std::array<U, kSize>& values) {
  for (U& value : values) value = from.take<U>();
}

template <class... Fields>
void put_fields(ByteWriter& to, const Fields&... fields) {
  (put_field(to, fields), ...);
}
// True if the payload held these fields and no more.
template <class... Fields>
bool take_fields(ByteReader& from, Fields&... fields) {
  (take_field(from, fields), ...);
  return from.at_end();
}

// A reply ends after its status and the loop's state unless the status is kOk.
template <class... Fields>
void put_reply(ByteWriter& to, Status status, LoopState state, const Fields&... fields) {
  put_fields(to, status, state);
  if (status == Status::kOk) put_fields(to, fields...);
}
template <class... Fields>
bool take_reply(ByteReader& from, Status& status, LoopState& state, Fields&... fields) {
  take_field(from, status);
  take_field(from, state);
  return status == Status::kOk ? take_fields(from, fields...) : from.at_end();
}

}  // namespace lockstep::link

#include "lockstep/restore_macros.hpp"
