#include "hil/client.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::host::hil {

namespace {

const char* name_of(link::MessageType type) {
  using enum link::MessageType;
  switch (type) {
    case kHello: return "hello";
    case kModelBegin:
    case kModelBodies:
    case kModelEnd: return "model";
    case kConfigure: return "configure";
    case kLimits: return "limits";
    case kWaves: return "waves";
    case kSetState: return "set state";
    case kStart: return "start";
    case kStop: return "stop";
    case kStep: return "step";
    case kSolve: return "solve";
    case kControl: return "control";
    case kReport: return "report";
    case kState: return "state";
    case kOpen: return "open";
    case kFault: return "fault";
    case kServo: return "servo";
    case kReference: return "reference";
    case kMeasured: return "measured";
    case kLateness: return "lateness";
    case kTickTimes: return "tick times";
  }
  return "message";
}

}  // namespace

link::Header Client::exchange(const link::Header& header, std::span<const std::uint8_t> request,
                              Milliseconds work, const Read& read) {
  using Clock = std::chrono::steady_clock;
  std::array<std::uint8_t, 4096> bytes;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    if (attempt != 0) ++resent_;
    transport_.write(request);
    const auto deadline = Clock::now() + patience_ / kTries + work;
    do {  // at least once: on a busy machine the answer may be there when the time is over
      const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now());
      const std::size_t count = transport_.read(bytes, std::max(left, Milliseconds(0)));
      std::optional<link::Header> answered;
      for (std::size_t i = 0; i < count; ++i) {
        const link::Frame* frame = reader_.push(bytes[i]);
        if (frame == nullptr) continue;
        if (frame->header.type != (header.type | link::kReplyBit) ||
            frame->header.sequence != header.sequence || frame->header.session != header.session) {
          ++stale_;
          continue;
        }
        link::ByteReader from(frame->payload);
        if (!read(from)) {
          throw Error(target_ + ": its answer to '" + name_of(link::MessageType{header.type}) +
                      "' does not parse; host and firmware are of different versions");
        }
        answered = frame->header;
      }
      if (answered) return *answered;
      if (count == 0 && !transport_.ended().empty()) throw silent(work);
    } while (Clock::now() < deadline);
  }
  throw silent(work);
}

Error Client::too_large(std::size_t bytes) const {
  return Error(target_ + ": a message of " + std::to_string(bytes) +
               " bytes, and the target takes " + std::to_string(max_payload_) +
               "; the robot is too large for it");
}

Error Client::silent(Milliseconds work) const {
  const std::string ended = transport_.ended();
  if (!ended.empty()) return Error(target_ + ": " + ended);
  if (reader_.wrong_version() != 0) {
    return Error(target_ + ": speaks version " + std::to_string(reader_.wrong_version()) +
                 " of the link, this host version " + std::to_string(link::kVersion) +
                 "; build both from one tree");
  }
  return Error(target_ + ": no answer for " + std::to_string((patience_ + kTries * work).count()) +
               " ms; is it powered, is Lockstep's firmware on it, is --baud right?");
}

Refused Client::refused(link::MessageType type, Status status, const link::Header& answered) const {
  std::string text = target_ + ": refused '" + name_of(type) + "': " + to_string(status);
  if (status == Status::kOutOfStep) text += " (it is at " + std::to_string(answered.step) + ")";
  return {text, status};
}

}  // namespace lockstep::host::hil
