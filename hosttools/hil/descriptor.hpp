// What a link over any open file shares: bytes in and out, each within a time limit.
#pragma once

#include <sys/types.h>

#include "hil/transport.hpp"
#include "system/descriptor.hpp"

namespace lockstep::host::hil {

class DescriptorTransport : public Transport {
 public:
  void write(std::span<const std::uint8_t> bytes) override;
  std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) override;

 protected:
  // Both do not block. What comes on `aside` is heard while waiting for the link.
  explicit DescriptorTransport(Descriptor link, Descriptor aside = Descriptor());

  virtual ssize_t put(int file, std::span<const std::uint8_t> bytes) = 0;
  virtual void hear(std::string_view) {}

  void listen_aside();
  const std::string& trouble() const { return trouble_; }  // why the link no longer works

 private:
  using Clock = std::chrono::steady_clock;
  bool wait_for(short events, Clock::time_point until);

  Descriptor link_, aside_;
  std::string trouble_;
};

}  // namespace lockstep::host::hil
