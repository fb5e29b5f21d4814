// A device on a line that others can write to: what it hears must be sealed with its key, and what
// it says is. It stands between the line and any device, which knows nothing of it; serve() takes
// one as the other.
#pragma once

#include <cstdint>
#include <span>

#include "lockstep/link/frame.hpp"
#include "lockstep/link/seal.hpp"

namespace lockstep::firmware {

template <class Device>
class KeyedDevice {
 public:
  static constexpr std::size_t kMaxPayload = Device::kMaxPayload + link::Seal::kBytes;
  static_assert(kMaxPayload <= link::kLargestPayload,
                "the robot is too large for frames with a seal");

  // The epoch has to be greater than at every start before: docs/security.md.
  KeyedDevice(const link::Key& key, std::uint64_t epoch) : seal_(key, link::End::kTarget, epoch) {}

  Device& device() { return device_; }

  // As a device's own: true if a frame ended with this byte.
  bool receive(std::uint8_t byte) {
    const link::Frame* sealed = from_line_.push(byte);
    link::Frame plain;
    if (sealed == nullptr) return false;
    if (!seal_.open(*sealed, plain)) return true;
    to_device_.begin(plain.header).put_bytes(plain.payload);
    for (const std::uint8_t each : to_device_.finish()) device_.receive(each);
    say_next();
    return true;
  }
  void poll() {
    device_.poll();
    say_next();
  }
  std::span<const std::uint8_t> outgoing() const { return outgoing_; }
  void sent() {
    outgoing_ = outgoing_.subspan(1);
    say_next();
  }
  bool is_busy() const { return device_.is_busy(); }
  bool is_acting() const { return device_.is_acting(); }
  std::uint32_t refused() const { return seal_.refused(); }

 private:
  // Sealed when its turn comes, so that counters are in the order of the line.
  void say_next() {
    while (outgoing_.empty() && !device_.outgoing().empty()) {
      const link::Frame* plain = from_device_.push(device_.outgoing().front());
      device_.sent();
      if (plain == nullptr) continue;
      seal_.close(plain->header, plain->payload, to_line_.begin(plain->header));
      outgoing_ = to_line_.finish();
    }
  }

  Device device_;
  link::Seal seal_;
  link::FrameReader<kMaxPayload> from_line_;
  link::FrameWriter<Device::kMaxPayload> to_device_;
  link::FrameReader<Device::kMaxPayload> from_device_;
  link::FrameWriter<kMaxPayload> to_line_;
  std::span<const std::uint8_t> outgoing_;
};

}  // namespace lockstep::firmware
