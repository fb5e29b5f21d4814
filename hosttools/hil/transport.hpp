// A link to a target, as a stream of bytes that may lose, damage or delay them: whoever needs more
// frames and checks what it sends.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

namespace lockstep::host::hil {

class Transport {
 public:
  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  // What a target that has ended does not take is lost; ended() tells.
  virtual void write(std::span<const std::uint8_t> bytes) = 0;

  // How many came, as soon as there is one; 0: nothing came for so long, or the target has ended.
  virtual std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) = 0;

  // Empty while the target lives, else why it ended. Bytes it sent before may still be to read.
  virtual std::string ended() = 0;
};

}  // namespace lockstep::host::hil
