// SipHash-2-4 with 64 bits (Aumasson and Bernstein 2012): a keyed hash that who lacks the key can
// neither compute nor guess. Additions, rotations and exclusive-ors alone: its time depends on
// lengths only.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>

namespace lockstep::link {

using Key = std::array<std::uint8_t, 16>;

class SipHash {
 public:
  constexpr explicit SipHash(const Key& key) {
    std::uint64_t k0 = 0, k1 = 0;
    for (unsigned i = 0; i < 8; ++i) {
      k0 |= std::uint64_t{key[i]} << (8 * i);
      k1 |= std::uint64_t{key[i + 8]} << (8 * i);
    }
    // "somepseudorandomlygeneratedbytes", as published
    v_ = {k0 ^ 0x736F6D6570736575u, k1 ^ 0x646F72616E646F6Du, k0 ^ 0x6C7967656E657261u,
          k1 ^ 0x7465646279746573u};
  }

  constexpr void add(std::uint8_t byte) {
    word_ |= std::uint64_t{byte} << (8 * (size_ % 8));
    if (++size_ % 8 == 0) absorb();
  }
  // least significant byte first, as on the wire
  template <std::unsigned_integral U>
  requires(sizeof(U) > 1) constexpr void add(U number) {
    for (unsigned i = 0; i < sizeof(U); ++i) add(static_cast<std::uint8_t>(number >> (8 * i)));
  }
  constexpr void add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) add(byte);
  }

  // Of all that was added; nothing may be added behind it.
  constexpr std::uint64_t finish() {
    word_ |= std::uint64_t{size_ % 256} << 56;
    absorb();
    v_[2] ^= 0xFF;
    for (int i = 0; i < 4; ++i) round();
    return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
  }

 private:
  constexpr void absorb() {
    v_[3] ^= word_;
    round();
    round();
    v_[0] ^= word_;
    word_ = 0;
  }
  constexpr void round() {
    v_[0] += v_[1], v_[1] = std::rotl(v_[1], 13) ^ v_[0], v_[0] = std::rotl(v_[0], 32);
    v_[2] += v_[3], v_[3] = std::rotl(v_[3], 16) ^ v_[2];
    v_[0] += v_[3], v_[3] = std::rotl(v_[3], 21) ^ v_[0];
    v_[2] += v_[1], v_[1] = std::rotl(v_[1], 17) ^ v_[2], v_[2] = std::rotl(v_[2], 32);
  }

  std::array<std::uint64_t, 4> v_;
  std::uint64_t word_ = 0;  // bytes that do not make eight yet
  std::uint32_t size_ = 0;
};

// Looks at all bits whatever they are, also where a word has 32.
constexpr bool is_same_tag(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t other = a ^ b;
  return (static_cast<std::uint32_t>(other) | static_cast<std::uint32_t>(other >> 32)) == 0;
}

}  // namespace lockstep::link

#include "lockstep/restore_macros.hpp"
