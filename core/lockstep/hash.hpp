// 64-bit FNV-1a: the witness of equal bits. Values enter least significant byte first, so the hash
// does not depend on the machine's byte order.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <bit>
#include <cstdint>
#include <string_view>

namespace lockstep {

class Hash {
 public:
  constexpr Hash() = default;
  // goes on from the value of an earlier hash
  constexpr explicit Hash(std::uint64_t value) : value_(value) {}

  constexpr void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x00000100000001B3u; }
  constexpr void add(std::uint32_t bits) {
    for (int shift = 0; shift < 32; shift += 8) add(static_cast<std::uint8_t>(bits >> shift));
  }
  constexpr void add(std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) add(static_cast<std::uint8_t>(bits >> shift));
  }
  constexpr void add(std::int32_t value) { add(static_cast<std::uint32_t>(value)); }
  constexpr void add(float value) { add(std::bit_cast<std::uint32_t>(value)); }
  constexpr void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  // the length goes first: "ab","c" and "a","bc" differ
  constexpr void add(std::string_view text) {
    add(static_cast<std::uint32_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint8_t>(c));
  }
  template <class Range>
  requires requires(const Range& r) {
    r.begin();
    r.end();
  }
  constexpr void add_all(const Range& range) {
    for (const auto& value : range) add(value);
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
