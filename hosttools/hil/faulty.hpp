// A link that damages what passes, frame by frame (split at zero bytes), the same for the same
// seed: a frame's fate depends on its number and on nothing else, neither on how the bytes were
// cut into calls nor on time. Frames wait for their end; lone zeros pass.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "hil/transport.hpp"

namespace lockstep::host::hil {

// How often, from 0 to 1, each happens to a frame; independent of each other.
struct LinkFaults {
  double flip = 0;     // one bit is turned, of the delimiter too
  double lose = 0;     // nothing comes
  double repeat = 0;   // comes twice
  double delay = 0;    // comes after kDelayFrames later ones
  double cut = 0;      // the end is missing, the delimiter with it
  double garbage = 0;  // up to sixteen bytes of anything stand before it

  bool any() const { return flip + lose + repeat + delay + cut + garbage > 0; }
};
inline constexpr std::uint64_t kDelayFrames = 3;

struct FaultCounts {
  std::uint64_t frames = 0, flipped = 0, lost = 0, repeated = 0, delayed = 0, cut = 0, garbage = 0;
};

// One direction.
class FrameDamage {
 public:
  FrameDamage(const LinkFaults& faults, std::uint64_t seed) : faults_(faults), seed_(seed) {}

  // Appends to `out` what comes of the bytes.
  void pass(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& out);

  const FaultCounts& counts() const { return counts_; }

 private:
  using Bytes = std::vector<std::uint8_t>;
  struct Held {
    std::uint64_t until;  // the frame it follows
    Bytes frame;
  };

  void finish_frame(Bytes& out);

  LinkFaults faults_;
  std::uint64_t seed_;
  Bytes frame_;
  std::deque<Held> held_;
  FaultCounts counts_;
};

class FaultyTransport final : public Transport {
 public:
  FaultyTransport(std::unique_ptr<Transport> link, const LinkFaults& faults, std::uint64_t seed);

  void write(std::span<const std::uint8_t> bytes) override;
  std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) override;
  std::string ended() override { return link_->ended(); }

  const FaultCounts& sent() const { return out_.counts(); }
  const FaultCounts& received() const { return in_.counts(); }

 private:
  std::unique_ptr<Transport> link_;
  FrameDamage out_, in_;
  std::vector<std::uint8_t> arrived_;  // not yet read
};

}  // namespace lockstep::host::hil
