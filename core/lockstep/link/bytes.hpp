// Numbers to bytes and back, least significant byte first on every machine. Neither end can leave
// its span: what does not fit is not written, what is missing reads as zero, and ok() tells.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace lockstep::link {

// What may travel: sizes are part of the format, so nothing is converted on the way.
template <class U>
concept WireNumber = std::same_as<U, std::uint8_t> || std::same_as<U, std::uint16_t> ||
    std::same_as<U, std::uint32_t> || std::same_as<U, std::uint64_t> || std::same_as<U, float> ||
    std::same_as<U, double>;

// The unsigned integer that carries the bits of U.
template <WireNumber U>
using BitsOf = std::conditional_t<
    std::is_integral_v<U>, U,
    std::conditional_t<sizeof(U) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>>;

class ByteWriter {
 public:
  ByteWriter() = default;
  explicit ByteWriter(std::span<std::uint8_t> room) : room_(room) {}

  template <WireNumber U>
  void put(U value) {
    ok_ = ok_ && room_.size() - size_ >= sizeof(U);
    if (!ok_) return;
    const auto bits = std::bit_cast<BitsOf<U>>(value);
    for (std::size_t i = 0; i < sizeof(U); ++i) {
      room_[size_++] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
  }
  void put_bytes(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) put(byte);
  }
  // the count first, in 16 bits
  template <WireNumber U>
  void put_vector(std::span<const U> values) {
    ok_ = ok_ && values.size() <= std::numeric_limits<std::uint16_t>::max();
    put(static_cast<std::uint16_t>(values.size()));
    for (const U value : values) put(value);
  }

  bool ok() const { return ok_; }
  std::span<const std::uint8_t> written() const { return room_.first(size_); }

 private:
  std::span<std::uint8_t> room_;
  std::size_t size_ = 0;
  bool ok_ = true;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  template <WireNumber U>
  U take() {
    BitsOf<U> bits = 0;
    const std::span<const std::uint8_t> bytes = take_bytes(sizeof(U));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bits = static_cast<BitsOf<U>>(bits | BitsOf<U>{bytes[i]} << (8 * i));
    }
    return std::bit_cast<U>(bits);
  }
  // empty if there are not so many
  std::span<const std::uint8_t> take_bytes(std::size_t count) {
    ok_ = ok_ && rest_.size() >= count;
    if (!ok_) return {};
    const std::span<const std::uint8_t> bytes = rest_.first(count);
    rest_ = rest_.subspan(count);
    return bytes;
  }
  // The receiver knows how many to expect; any other count is an error.
  template <WireNumber U>
  void take_vector(std::span<U> values) {
    ok_ = take<std::uint16_t>() == values.size() && ok_;
    for (U& value : values) value = take<U>();
  }
  void refuse() { ok_ = false; }

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  std::span<const std::uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace lockstep::link

#include "lockstep/restore_macros.hpp"
