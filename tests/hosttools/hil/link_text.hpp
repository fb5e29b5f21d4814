// Text over a link, as the tests of transports speak.
#pragma once

#include <chrono>
#include <string>

#include "hil/transport.hpp"

namespace lockstep::test {

inline void send(host::hil::Transport& link, std::string_view text) {
  link.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// Everything that comes until there are `size` bytes, the link ends or five seconds have passed.
inline std::string receive(host::hil::Transport& link, std::size_t size) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::string text;
  while (text.size() < size && std::chrono::steady_clock::now() < until) {
    std::uint8_t bytes[64];
    const std::size_t count = link.read(bytes, std::chrono::milliseconds(50));
    text.append(reinterpret_cast<const char*>(bytes), count);
    if (count == 0 && !link.ended().empty()) break;
  }
  return text;
}

}  // namespace lockstep::test
