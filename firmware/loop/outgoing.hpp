// Frames on their way out, at most one a queue. One that has begun goes out to its end; then the
// first queue that has one is next, so that replies wait for one publication at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::firmware {

template <std::size_t kQueues>
class Outgoing {
 public:
  using Bytes = std::span<const std::uint8_t>;

  Bytes next() const { return frames_[current_]; }
  bool is_waiting(std::size_t queue) const { return !frames_[queue].empty(); }

  // In the place of what is left of the queue's frame: the new one's first zero ends it.
  void put(std::size_t queue, Bytes frame) {
    frames_[queue] = frame;
    choose();
  }
  // The first byte of `next`.
  void sent() {
    frames_[current_] = frames_[current_].subspan(1);
    choose();
  }

 private:
  void choose() {
    for (std::size_t i = 0; i < kQueues && frames_[current_].empty(); ++i) current_ = i;
  }

  std::array<Bytes, kQueues> frames_{};
  std::size_t current_ = 0;
};

}  // namespace lockstep::firmware
