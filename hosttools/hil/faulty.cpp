#include "hil/faulty.hpp"

#include <algorithm>

namespace lockstep::host::hil {

namespace {

constexpr std::size_t kLongestFrame = 65536;  // what has no end is cut into such
constexpr std::uint64_t kLongestGarbage = 16;

// splitmix64: a seed means the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t count) { return bits() % count; }
  bool happens(double rate) { return static_cast<double>(bits() >> 11) * 0x1p-53 < rate; }

 private:
  std::uint64_t state_;
};

void append(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

void FrameDamage::pass(std::span<const std::uint8_t> bytes, Bytes& out) {
  if (!faults_.any()) return append(out, bytes);
  for (const std::uint8_t byte : bytes) {
    if (byte == 0 && frame_.empty()) {
      out.push_back(byte);
      continue;
    }
    frame_.push_back(byte);
    if (byte == 0 || frame_.size() == kLongestFrame) finish_frame(out);
  }
}

void FrameDamage::finish_frame(Bytes& out) {
  const std::uint64_t number = counts_.frames++;
  // all are drawn whatever the rates are: one rate does not change what another one hits
  Dice dice(Dice(seed_).bits() ^ Dice(number).bits());
  const bool garbage = dice.happens(faults_.garbage), lose = dice.happens(faults_.lose);
  const bool flip = dice.happens(faults_.flip), cut = dice.happens(faults_.cut);
  const bool repeat = dice.happens(faults_.repeat), delay = dice.happens(faults_.delay);

  if (garbage) {
    ++counts_.garbage;
    for (std::uint64_t i = dice.below(kLongestGarbage) + 1; i > 0; --i) {
      out.push_back(static_cast<std::uint8_t>(dice.bits() >> 56));
    }
  }
  if (lose) {
    ++counts_.lost;
    frame_.clear();
  }
  if (flip && !lose) {
    ++counts_.flipped;
    const std::uint64_t bit = dice.below(frame_.size() * 8);
    frame_[bit / 8] = static_cast<std::uint8_t>(frame_[bit / 8] ^ (1u << bit % 8));
  }
  if (cut && !lose) {
    ++counts_.cut;
    frame_.resize(dice.below(frame_.size()));
  }
  if (repeat && !lose) {
    ++counts_.repeated;
    append(frame_, Bytes(frame_));
  }
  if (delay && !lose) {
    ++counts_.delayed;
    held_.push_back({number + kDelayFrames, std::move(frame_)});
    frame_ = {};
  }
  append(out, frame_);
  frame_.clear();
  while (!held_.empty() && held_.front().until <= number) {
    append(out, held_.front().frame);
    held_.pop_front();
  }
}

FaultyTransport::FaultyTransport(std::unique_ptr<Transport> link, const LinkFaults& faults,
                                 std::uint64_t seed)
    : link_(std::move(link)), out_(faults, 2 * seed), in_(faults, 2 * seed + 1) {}

void FaultyTransport::write(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> damaged;
  out_.pass(bytes, damaged);
  if (!damaged.empty()) link_->write(damaged);
}

std::size_t FaultyTransport::read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + wait;
  // what comes may be held back: the wait goes on
  while (arrived_.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    std::uint8_t chunk[4096];
    const std::size_t count = link_->read(chunk, std::max(left, std::chrono::milliseconds(0)));
    if (count == 0) return 0;
    in_.pass({chunk, count}, arrived_);
  }
  const std::size_t count = std::min(bytes.size(), arrived_.size());
  const auto end = arrived_.begin() + static_cast<std::ptrdiff_t>(count);
  std::copy(arrived_.begin(), end, bytes.begin());
  arrived_.erase(arrived_.begin(), end);
  return count;
}

}  // namespace lockstep::host::hil
