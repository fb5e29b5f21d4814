// A frame of CAN or CAN-FD, and what a bus is to a port: it sends and receives, and never waits.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::drives {

struct CanFrame {
  std::uint32_t id = 0;  // of 29 bits; above 0x7FF it needs an extended frame
  std::uint8_t size = 0;
  std::array<std::uint8_t, 64> data{};

  std::span<const std::uint8_t> bytes() const { return {data.data(), size}; }
};

// False: there is no room, or nothing has come.
template <class Bus>
concept CanBus = requires(Bus& bus, const CanFrame& out, CanFrame& in) {
  { bus.send(out) } -> std::same_as<bool>;
  { bus.receive(in) } -> std::same_as<bool>;
};

// The shortest payload of CAN-FD that holds so many bytes; at most 64.
constexpr std::uint8_t can_fd_size(std::size_t bytes) {
  if (bytes <= 8) return static_cast<std::uint8_t>(bytes);
  for (const int size : {12, 16, 20, 24, 32, 48}) {
    if (bytes <= static_cast<std::size_t>(size)) return static_cast<std::uint8_t>(size);
  }
  return 64;
}

}  // namespace lockstep::drives
