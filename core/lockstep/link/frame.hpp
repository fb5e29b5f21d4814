// Frames on a byte stream: a zero, the stuffed frame, a zero. Before stuffing a frame is
//   version u8, type u8, sequence u16, session u32, step u64 | payload | CRC-32C u32.
// The zero in front ends whatever noise came before, so that it costs no good frame.
// docs/wire-format.md has the bytes.
#pragma once

#include <etl/crc32_c.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/link/bytes.hpp"
#include "lockstep/link/cobs.hpp"

namespace lockstep::link {

inline constexpr std::uint8_t kVersion = 2;
inline constexpr std::size_t kHeaderBytes = 16, kCrcBytes = 4;
inline constexpr std::size_t kLargestPayload = 4080;  // a frame then has 4100 bytes

using Crc = etl::crc32_c_t16;  // a table of 64 bytes instead of 1024

struct Header {
  std::uint8_t type = 0;
  std::uint16_t sequence = 0;
  std::uint64_t step = 0;
  std::uint32_t session = 0;  // of a target's host; 0: none
  constexpr bool operator==(const Header&) const = default;
};

struct Frame {
  Header header;
  std::span<const std::uint8_t> payload;
};

// Makes one frame at a time, and stuffs it where it stands.
template <std::size_t kMaxPayload>
class FrameWriter {
  static_assert(kMaxPayload <= kLargestPayload);

 public:
  FrameWriter() = default;
  FrameWriter(const FrameWriter&) = delete;  // last_ points into buffer_
  FrameWriter& operator=(const FrameWriter&) = delete;

  // Put the payload into what it returns.
  ByteWriter& begin(const Header& header) {
    last_ = {};
    frame_ = ByteWriter(std::span(buffer_).subspan(kBegin, kHeaderBytes + kMaxPayload));
    frame_.put(kVersion);
    frame_.put(header.type);
    frame_.put(header.sequence);
    frame_.put(header.session);
    frame_.put(header.step);
    return frame_;
  }

  // What to send, or nothing if the payload did not fit.
  std::span<const std::uint8_t> finish() {
    if (!frame_.ok() || frame_.written().empty()) return last_ = {};
    const std::size_t size = frame_.written().size();
    ByteWriter end{std::span(buffer_).subspan(kBegin + size, kCrcBytes)};
    end.put(std::uint32_t{Crc(frame_.written().begin(), frame_.written().end()).value()});
    frame_ = {};
    const std::size_t stuffed =
        cobs_encode(std::span(buffer_).subspan(kBegin, size + kCrcBytes), buffer_.data() + 1);
    buffer_.front() = 0;
    buffer_[1 + stuffed] = 0;
    return last_ = std::span(buffer_).first(stuffed + 2);
  }

  // The frame that finish() made, until the next begin(): for a request that comes again.
  std::span<const std::uint8_t> last() const { return last_; }

 private:
  static constexpr std::size_t kMaxFrame = kHeaderBytes + kMaxPayload + kCrcBytes;
  static constexpr std::size_t kBegin = 1 + cobs_size(kMaxFrame) - kMaxFrame;

  std::array<std::uint8_t, kBegin + kMaxFrame + 1> buffer_;
  ByteWriter frame_;
  std::span<const std::uint8_t> last_;
};

// Finds the good frames in a stream of any bytes, at a cost per byte that does not depend on them.
template <std::size_t kMaxPayload>
class FrameReader {
  static_assert(kMaxPayload <= kLargestPayload);

 public:
  FrameReader() = default;
  FrameReader(const FrameReader&) = delete;  // frame_ points into buffer_
  FrameReader& operator=(const FrameReader&) = delete;

  // The frame that ended with this byte, valid until the next push; null if there is none.
  const Frame* push(std::uint8_t byte) {
    if (byte == 0) return end_of_frame();
    if (!began_) start();
    const int plain = cobs_.push(byte);
    if (plain == CobsDecoder::kNothing) return nullptr;
    if (size_ == buffer_.size()) {
      too_long_ = true;
      return nullptr;
    }
    buffer_[size_++] = static_cast<std::uint8_t>(plain);
    crc_.add(static_cast<std::uint8_t>(plain));
    return nullptr;
  }

  std::uint32_t good() const { return good_; }
  std::uint32_t damaged() const { return damaged_; }
  // Frames whole but of another version, and the version of the last of them (0: there was none).
  std::uint32_t foreign() const { return foreign_; }
  std::uint8_t wrong_version() const { return wrong_version_; }

 private:
  // A CRC over a frame and its own CRC is the same for every frame: that of four zero bytes.
  static constexpr std::uint32_t kResidue = 0x48674BC7;

  void start() {
    began_ = true;
    too_long_ = false;
    size_ = 0;
    cobs_ = {};
    crc_.reset();
  }

  const Frame* end_of_frame() {
    if (!began_) return nullptr;  // two zeros: nothing between two frames
    began_ = false;
    const bool whole = !too_long_ && cobs_.is_whole() && size_ > kCrcBytes;
    const bool good = whole && crc_.value() == kResidue;
    if (good && buffer_[0] != kVersion) {  // its header may be of another length
      ++foreign_;
      wrong_version_ = buffer_[0];
      return nullptr;
    }
    if (!good || size_ < kHeaderBytes + kCrcBytes) {
      ++damaged_;
      return nullptr;
    }
    ByteReader from{std::span(buffer_).subspan(1, size_ - kCrcBytes - 1)};
    ++good_;
    frame_.header.type = from.take<std::uint8_t>();
    frame_.header.sequence = from.take<std::uint16_t>();
    frame_.header.session = from.take<std::uint32_t>();
    frame_.header.step = from.take<std::uint64_t>();
    frame_.payload = from.take_bytes(size_ - kCrcBytes - kHeaderBytes);
    return &frame_;
  }

  std::array<std::uint8_t, kHeaderBytes + kMaxPayload + kCrcBytes> buffer_;
  Frame frame_;
  std::size_t size_ = 0;
  CobsDecoder cobs_;
  Crc crc_;
  bool began_ = false, too_long_ = false;
  std::uint8_t wrong_version_ = 0;
  std::uint32_t good_ = 0, damaged_ = 0, foreign_ = 0;
};

}  // namespace lockstep::link
