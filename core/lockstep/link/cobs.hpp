// Consistent overhead byte stuffing (Cheshire and Baker 1999): bytes without any zero, so that zero
// can part one frame from the next. A block is a code, 1 more than the bytes that follow it; a zero
// stood behind every block but the last and but those of 254 bytes (code 255).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::link {

// The most that `size` bytes can become: one code, and one more for each 254 bytes without a zero.
constexpr std::size_t cobs_size(std::size_t size) {
  return size == 0 ? 1 : size + (size + 253) / 254;
}

// Returns how many bytes it wrote. `to` has room for cobs_size(from.size()); it may overlap `from`
// if it begins cobs_size(n) - n bytes before it, n >= from.size(): reading stays ahead of writing.
constexpr std::size_t cobs_encode(std::span<const std::uint8_t> from, std::uint8_t* to) {
  std::size_t code = 0, end = 1;
  const auto close_block = [&] {
    to[code] = static_cast<std::uint8_t>(end - code);
    code = end++;
  };
  for (const std::uint8_t byte : from) {
    if (end - code == 255) close_block();
    if (byte == 0)
      close_block();
    else
      to[end++] = byte;
  }
  to[code] = static_cast<std::uint8_t>(end - code);
  return end;
}

// Byte by byte, at a constant cost.
class CobsDecoder {
 public:
  static constexpr int kNothing = -1;

  // The byte that a stuffed one brings forth, or kNothing. A zero is not stuffed: it is the end.
  constexpr int push(std::uint8_t stuffed) {
    if (left_ > 0) {
      --left_;
      return stuffed;
    }
    const bool zero = zero_behind_;
    left_ = stuffed - 1;
    zero_behind_ = stuffed != 255;
    return zero ? 0 : kNothing;
  }

  // The last block has all its bytes.
  constexpr bool is_whole() const { return left_ == 0; }

 private:
  int left_ = 0;
  bool zero_behind_ = false;
};

}  // namespace lockstep::link

#include "lockstep/restore_macros.hpp"
