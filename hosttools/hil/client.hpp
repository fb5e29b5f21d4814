// The host's end of the link: one request at a time, asked again until it is answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "hil/transport.hpp"
#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"
#include "text/error.hpp"

namespace lockstep::host::hil {

// The target answered, and the answer was no.
class Refused : public Error {
 public:
  Refused(const std::string& message, Status status) : Error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

class Client {
 public:
  using Milliseconds = std::chrono::milliseconds;
  static constexpr int kTries = 8;

  // `target` names it in messages. It may be silent for `patience` before that is an error.
  Client(Transport& transport, std::string target, Milliseconds patience = Milliseconds(2000))
      : transport_(transport), target_(std::move(target)), patience_(patience) {}

  void set_max_payload(std::size_t bytes) { max_payload_ = bytes; }
  std::size_t max_payload() const { return max_payload_; }
  // Of the times in the target's report.
  void set_clock_hz(std::uint32_t hertz) { clock_hz_ = hertz; }
  double clock_hz() const { return clock_hz_; }
  const std::string& target() const { return target_; }

  // Sends the request until its reply comes, and reads it. Returns the reply's header. `work` is
  // time that the target needs besides. Throws Error if it stays silent, Refused if it says no.
  template <class Request, class Reply>
  link::Header ask(const Request& request, Reply& reply, std::uint64_t step = 0,
                   Milliseconds work = {}) {
    sequence_ = sequence_ == 0xFFFF ? 1 : static_cast<std::uint16_t>(sequence_ + 1);
    const link::Header header = {link::request_type(Request::kType), sequence_, step,
                                 Request::kType == link::MessageType::kHello ? 0 : session_};
    link::ByteWriter& payload = writer_.begin(header);
    request.write(payload);
    const std::size_t bytes = payload.written().size() - link::kHeaderBytes;
    if (!payload.ok() || bytes > max_payload_) throw too_large(bytes);
    const link::Header answered = exchange(
        header, writer_.finish(), work, [&](link::ByteReader& from) { return reply.read(from); });
    if (reply.status != Status::kOk) throw refused(Request::kType, reply.status, answered);
    return answered;
  }
  // For requests that are only acknowledged.
  template <class Request>
  void tell(const Request& request, std::uint64_t step = 0) {
    link::Ack ack;
    ask(request, ack, step);
  }

  // Begins the session that a hello offered; a host before this one is refused from now on.
  void open(std::uint32_t session) {
    session_ = session;
    tell(link::Open());
  }

  // Frames that were sent again, that came damaged, that came too late.
  std::uint32_t resent() const { return resent_; }
  std::uint32_t damaged() const { return reader_.damaged(); }
  std::uint32_t stale() const { return stale_; }

 private:
  using Read = std::function<bool(link::ByteReader&)>;

  link::Header exchange(const link::Header& header, std::span<const std::uint8_t> request,
                        Milliseconds work, const Read& read);
  Error too_large(std::size_t bytes) const;
  Error silent(Milliseconds work) const;
  Refused refused(link::MessageType type, Status status, const link::Header& answered) const;

  Transport& transport_;
  std::string target_;
  Milliseconds patience_;
  std::size_t max_payload_ = link::kLargestPayload;
  double clock_hz_ = 1;
  std::uint16_t sequence_ = 0;
  std::uint32_t session_ = 0;
  link::FrameWriter<link::kLargestPayload> writer_;
  link::FrameReader<link::kLargestPayload> reader_;
  std::uint32_t resent_ = 0, stale_ = 0;
};

}  // namespace lockstep::host::hil
