// A device of the firmware in this process, behind the host's end of a link.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <thread>
#include <utility>

#include "hil/transport.hpp"

namespace lockstep::host::hil {

template <class Device>
class DeviceTransport final : public Transport {
 public:
  explicit DeviceTransport(std::unique_ptr<Device> device = std::make_unique<Device>())
      : device_(std::move(device)) {}

  void write(std::span<const std::uint8_t> bytes) override {
    for (const std::uint8_t byte : bytes) {
      device_->receive(byte);
      while (device_->is_busy()) device_->poll();
      for (; !device_->outgoing().empty(); device_->sent()) {
        said_.push_back(device_->outgoing().front());
      }
    }
  }
  std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) override {
    if (said_.empty()) std::this_thread::sleep_for(wait);
    const std::size_t count = std::min(bytes.size(), said_.size());
    const auto end = said_.begin() + static_cast<std::ptrdiff_t>(count);
    std::copy(said_.begin(), end, bytes.begin());
    said_.erase(said_.begin(), end);
    return count;
  }
  std::string ended() override { return ""; }

 private:
  std::unique_ptr<Device> device_;
  std::deque<std::uint8_t> said_;
};

}  // namespace lockstep::host::hil
