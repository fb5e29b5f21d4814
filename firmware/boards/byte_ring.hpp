// Bytes from an interrupt to the loop: one side pushes, the other pops, on one core. The indices
// count on and wrap by themselves; each is written by one side only.
#pragma once

#include <cstdint>

namespace lockstep::board {

template <std::uint32_t kSize>
class ByteRing {
  static_assert(kSize != 0 && (kSize & (kSize - 1)) == 0, "indices wrap at a power of two");

 public:
  // Drops the byte where there is no room: the checksum of its frame will tell.
  bool push(std::uint8_t byte) {
    const std::uint32_t end = end_;
    if (end - begin_ == kSize) {
      dropped_ = dropped_ + 1;
      return false;
    }
    bytes_[end % kSize] = byte;
    end_ = end + 1;
    return true;
  }

  int pop() {  // -1: empty
    const std::uint32_t begin = begin_;
    if (begin == end_) return -1;
    const int byte = bytes_[begin % kSize];
    begin_ = begin + 1;
    return byte;
  }

  bool is_empty() const { return begin_ == end_; }
  bool is_full() const { return end_ - begin_ == kSize; }
  std::uint32_t dropped() const { return dropped_; }

 private:
  // all volatile: a byte must be in its place before the index says so
  volatile std::uint8_t bytes_[kSize] = {};
  volatile std::uint32_t begin_ = 0, end_ = 0, dropped_ = 0;
};

}  // namespace lockstep::board
