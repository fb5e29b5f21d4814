// A bad line: frames with flipped bits, missing, foreign or doubled parts, each followed by a good
// one. No frame may come out changed, and the good one must come out. A good frame is damaged three
// turns later, so that what a reader may still hold of the last one is not what was damaged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/link/frame.hpp"
#include "support/random.hpp"

namespace lockstep::test {

template <std::size_t kMaxPayload>
class DamagedLine {
 public:
  explicit DamagedLine(std::uint64_t seed) : random_(seed) {
    for (Sent& sent : made_) make(sent);
  }

  // Sends one damaged frame and one good one.
  void send() {
    const auto turn = static_cast<std::size_t>(sent_++);
    const Sent &original = made_[turn % 4], &other = made_[(turn + 1) % 4];
    line_ = original.wire;
    damage(line_, other.wire);
    const auto judge = [&](const link::Frame& frame) {
      ++(original.is(frame) || other.is(frame) ? unharmed_ : changed_);
    };

    for (const std::uint8_t byte : line_) {
      if (const link::Frame* frame = reader_.push(byte)) judge(*frame);
    }
    const Sent& good = made_[(turn + 3) % 4];
    bool arrived = false;
    for (const std::uint8_t byte : good.wire) {
      const link::Frame* frame = reader_.push(byte);
      if (frame == nullptr) continue;
      if (good.is(*frame))
        arrived = true;
      else
        judge(*frame);  // what the good frame's first zero ended
    }
    lost_ += arrived ? 0 : 1;
    make(made_[turn % 4]);
  }

  long sent() const { return sent_; }
  long unharmed() const { return unharmed_; }  // the damage left the frame itself alone
  long changed() const { return changed_; }    // accepted, and not what was sent
  long lost() const { return lost_; }          // good frames that damage before them cost
  long refused() const { return static_cast<long>(reader_.damaged()); }

 private:
  using Bytes = std::vector<std::uint8_t>;

  struct Sent {
    link::Header header;
    Bytes payload, wire;
    bool is(const link::Frame& frame) const {
      return frame.header == header &&
             std::equal(payload.begin(), payload.end(), frame.payload.begin(), frame.payload.end());
    }
  };

  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(random_.bits() % static_cast<std::uint64_t>(count));
  }

  void make(Sent& sent) {
    const bool large = random_.below(100) == 0;
    sent.payload.resize(below((large ? kMaxPayload : std::min<std::size_t>(kMaxPayload, 64)) + 1));
    const bool sparse = random_.below(2) == 0;  // many zeros, as in numbers
    for (std::uint8_t& byte : sent.payload) {
      const std::uint64_t bits = random_.bits();
      byte = sparse && (bits & 0x300) != 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(bits);
    }
    const std::uint64_t bits = random_.bits();
    sent.header = {static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(bits >> 8),
                   bits >> 24 & 0xFFFF};
    writer_.begin(sent.header).put_bytes(sent.payload);
    const auto wire = writer_.finish();
    sent.wire.assign(wire.begin(), wire.end());
  }

  void damage(Bytes& line, const Bytes& other) {
    const auto at = [&](Bytes& bytes, std::size_t i) {
      return bytes.begin() + static_cast<std::ptrdiff_t>(i);
    };
    const std::size_t i = below(line.size() + 1), j = below(line.size() + 1);
    const std::size_t first = std::min(i, j), last = std::max(i, j);
    switch (random_.below(5)) {
      case 0:  // cut
        line.erase(at(line, first), at(line, last));
        break;
      case 1: {  // spliced: the beginning of one, the end of another
        line.resize(first);
        const auto rest = static_cast<std::ptrdiff_t>(below(other.size() + 1));
        line.insert(line.end(), other.begin() + rest, other.end());
        break;
      }
      case 2: {  // a part twice
        const Bytes part(at(line, first), at(line, last));
        line.insert(at(line, last), part.begin(), part.end());
        break;
      }
      default:
        for (int flips = 1 + random_.below(8); flips > 0; --flips) {
          line[below(line.size())] ^= static_cast<std::uint8_t>(1u << random_.below(8));
        }
    }
  }

  Random random_;
  link::FrameWriter<kMaxPayload> writer_;
  link::FrameReader<kMaxPayload> reader_;
  Sent made_[4];  // to damage, to splice it with, the last good one, the next
  Bytes line_;
  long sent_ = 0, unharmed_ = 0, changed_ = 0, lost_ = 0;
};

}  // namespace lockstep::test
