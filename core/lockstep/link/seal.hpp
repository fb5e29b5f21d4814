// The keyed mode of the link: behind each payload stand the sender's epoch, a counter and a tag by
// SipHash-2-4 over direction, the receiver's epoch, header, payload, epoch and counter. An epoch is
// a number that grows with every start of its end (a count in flash, a clock): a frame that was
// recorded fits no later one. docs/wire-format.md has the bytes, docs/security.md what it is good
// for.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/link/frame.hpp"
#include "lockstep/link/message.hpp"
#include "lockstep/link/siphash.hpp"

namespace lockstep::link {

enum class End : std::uint8_t { kHost = 1, kTarget = 2 };

class Seal {
 public:
  static constexpr std::size_t kBytes = 24;

  // An epoch of 0 is none: nothing is taken.
  Seal(const Key& key, End own, std::uint64_t epoch) : key_(key), own_(own), epoch_(epoch) {}

  // Puts payload and seal behind a header that begin(header) has written to `to`.
  void close(const Header& header, std::span<const std::uint8_t> payload, ByteWriter& to) {
    std::uint64_t receiver = peer_;
    if (is_hello(header)) receiver = own_ == End::kHost ? 0 : asker_;
    ++counter_;
    to.put_bytes(payload);
    to.put(epoch_);
    to.put(counter_);
    to.put(tag(own_, receiver, header, payload, epoch_, counter_));
  }

  // The frame without its seal; false, and nothing has changed, if it is not the other end's, or
  // not new.
  bool open(const Frame& sealed, Frame& plain) {
    if (sealed.payload.size() < kBytes || epoch_ == 0) return refuse();
    const std::size_t size = sealed.payload.size() - kBytes;
    const std::span<const std::uint8_t> payload = sealed.payload.first(size);
    ByteReader from(sealed.payload.subspan(size));
    const auto epoch = from.take<std::uint64_t>(), counter = from.take<std::uint64_t>();
    const bool hello = is_hello(sealed.header);
    const bool first = hello && own_ == End::kTarget;  // it does not know our epoch yet
    const std::uint64_t expected = tag(own_ == End::kHost ? End::kTarget : End::kHost,
                                       first ? 0 : epoch_, sealed.header, payload, epoch, counter);
    if (!is_same_tag(expected, from.take<std::uint64_t>()) || epoch < peer_ || epoch == 0) {
      return refuse();
    }
    if (first) {  // changes nothing, so it may come again
      asker_ = epoch;
    } else {
      // A later start of the other end shows itself by knowing our epoch; to a host, by answering
      // its hello.
      if (epoch > peer_ ? own_ == End::kHost && !hello : counter <= last_) return refuse();
      peer_ = epoch;
      last_ = counter;
    }
    plain = {sealed.header, payload};
    return true;
  }

  std::uint32_t refused() const { return refused_; }

 private:
  static constexpr std::uint8_t kHello = request_type(MessageType::kHello);

  static bool is_hello(const Header& header) {
    return static_cast<std::uint8_t>(header.type & ~kReplyBit) == kHello;
  }
  bool refuse() {
    ++refused_;
    return false;
  }
  std::uint64_t tag(End sender, std::uint64_t receiver, const Header& header,
                    std::span<const std::uint8_t> payload, std::uint64_t epoch,
                    std::uint64_t counter) const {
    SipHash hash(key_);
    hash.add(static_cast<std::uint8_t>(sender));
    hash.add(receiver);
    hash.add(kVersion);
    hash.add(header.type);
    hash.add(header.sequence);
    hash.add(header.session);
    hash.add(header.step);
    hash.add(payload);
    hash.add(epoch);
    hash.add(counter);
    return hash.finish();
  }

  Key key_;
  End own_;
  std::uint64_t epoch_, counter_ = 0;
  std::uint64_t peer_ = 0, last_ = 0;  // the other end's epoch, and its last counter
  std::uint64_t asker_ = 0;            // of the last hello
  std::uint32_t refused_ = 0;
};

}  // namespace lockstep::link

#include "lockstep/restore_macros.hpp"
