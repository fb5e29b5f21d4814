// What a link over any open file shares: bytes in and out, each within a time limit.
#pragma once

#include <sys/types.h>

#include <utility>

#include "hil/transport.hpp"

namespace lockstep::host::hil {

// An open file that closes itself; -1 is none.
class Descriptor {
 public:
  explicit Descriptor(int file = -1) : file_(file) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }

  int get() const { return file_; }
  void reset();

 private:
  int file_;
};

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
