#include "hil/faulty.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <thread>

#include "hosttools/hil/link_text.hpp"
#include "support/random.hpp"

using namespace lockstep::host::hil;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr int kFrames = 10000;
constexpr std::size_t kFrameSize = 12;  // with its delimiter

// Frame i: its number, then bytes that are not zero.
Bytes stream_of_frames() {
  Bytes stream;
  for (unsigned i = 0; i < kFrames; ++i) {
    stream.push_back(static_cast<std::uint8_t>(i / 250 + 1));
    stream.push_back(static_cast<std::uint8_t>(i % 250 + 1));
    stream.insert(stream.end(), kFrameSize - 3, 0x55);
    stream.push_back(0);
  }
  return stream;
}

int number_of(const Bytes& frame) { return (frame[0] - 1) * 250 + frame[1] - 1; }

Bytes passed(FrameDamage& damage, const Bytes& stream) {
  Bytes out;
  damage.pass(stream, out);
  return out;
}

// What stands between the delimiters.
std::vector<Bytes> frames_of(const Bytes& stream) {
  std::vector<Bytes> frames(1);
  for (const std::uint8_t byte : stream) {
    if (byte == 0) {
      frames.emplace_back();
    } else {
      frames.back().push_back(byte);
    }
  }
  frames.pop_back();
  return frames;
}

// Within five standard deviations of one in ten.
void check_tenth(std::uint64_t count) {
  DOUBLES_EQUAL(0.1 * kFrames, static_cast<double>(count), 5 * 30);
}

// Gives back what it is sent, in small pieces.
class Loopback final : public Transport {
 public:
  void write(std::span<const std::uint8_t> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::size_t read(std::span<std::uint8_t> bytes, std::chrono::milliseconds wait) override {
    const std::size_t count = std::min({bytes.size(), bytes_.size(), std::size_t{5}});
    if (count == 0) std::this_thread::sleep_for(wait);
    std::copy_n(bytes_.begin(), count, bytes.begin());
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  std::string ended() override { return "never began"; }

 private:
  std::deque<std::uint8_t> bytes_;
};

}  // namespace

TEST_GROUP(Faulty) { const Bytes stream = stream_of_frames(); };

TEST(Faulty, WithoutRatesEvenAnUnfinishedFramePasses) {
  FrameDamage damage({}, 1);
  const Bytes text = {1, 2, 0, 0, 3};
  CHECK_TRUE(passed(damage, text) == text);
}

TEST(Faulty, TheSameSeedDoesTheSameHoweverTheBytesAreCut) {
  const LinkFaults faults = {.1, .1, .1, .1, .1, .1};
  FrameDamage whole(faults, 5), pieces(faults, 5), other(faults, 6);
  const Bytes expected = passed(whole, stream);
  Bytes out;
  lockstep::test::Random random(1);
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t size =
        std::min(stream.size() - at, static_cast<std::size_t>(random.below(40)));
    pieces.pass(std::span(stream).subspan(at, size), out);
    at += size;
  }
  CHECK_TRUE(out == expected);
  CHECK_FALSE(passed(other, stream) == expected);
}

TEST(Faulty, OneRateDoesNotMoveWhatAnotherHits) {
  FrameDamage few({.lose = 0.1}, 5), many({.flip = 0.5, .lose = 0.1, .cut = 0.5}, 5);
  passed(few, stream);
  passed(many, stream);
  LONGS_EQUAL(few.counts().lost, many.counts().lost);
}

TEST(Faulty, FlipTurnsOneBitOfAFrame) {
  FrameDamage damage({.flip = 0.1}, 2);
  const Bytes out = passed(damage, stream);
  LONGS_EQUAL(stream.size(), out.size());
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    bits += static_cast<unsigned>(std::popcount(static_cast<unsigned>(stream[i] ^ out[i])));
  }
  LONGS_EQUAL(damage.counts().flipped, bits);
  check_tenth(bits);
}

TEST(Faulty, LostFramesDoNotCome) {
  FrameDamage damage({.lose = 0.1}, 2);
  const Bytes out = passed(damage, stream);
  LONGS_EQUAL(stream.size(), out.size() + damage.counts().lost * kFrameSize);
  LONGS_EQUAL(kFrames, damage.counts().frames);
  check_tenth(damage.counts().lost);
}

TEST(Faulty, DoubledFramesComeTwiceInARow) {
  FrameDamage damage({.repeat = 0.1}, 2);
  const std::vector<Bytes> out = frames_of(passed(damage, stream));
  std::uint64_t twins = 0;
  for (std::size_t i = 1; i < out.size(); ++i) twins += out[i] == out[i - 1];
  LONGS_EQUAL(damage.counts().repeated, twins);
  LONGS_EQUAL(kFrames + twins, out.size());
  check_tenth(twins);
}

TEST(Faulty, DelayedFramesComeAfterThreeLaterOnes) {
  FrameDamage damage({.delay = 0.1}, 2);
  const std::vector<Bytes> out = frames_of(passed(damage, stream));
  check_tenth(damage.counts().delayed);
  std::uint64_t late = 0;
  for (std::size_t i = 1; i < out.size(); ++i) {
    const int step = number_of(out[i]) - number_of(out[i - 1]);
    if (step > 0) continue;
    ++late;
    CHECK_TRUE(step >= -3);
  }
  CHECK_TRUE(late > damage.counts().delayed / 2);  // the others wait beside one another
}

TEST(Faulty, WhenAllAreDelayedOnlyTheLastAreStillToCome) {
  FrameDamage damage({.delay = 1}, 2);
  CHECK_TRUE(passed(damage, stream) == Bytes(stream.begin(), stream.end() - 3 * kFrameSize));
}

TEST(Faulty, CutFramesLackTheirEnd) {
  FrameDamage damage({.cut = 1}, 2);
  const Bytes out = passed(damage, stream);
  LONGS_EQUAL(kFrames, damage.counts().cut);
  LONGS_EQUAL(0, std::ranges::count(out, 0));
  DOUBLES_EQUAL(5.5 * kFrames, static_cast<double>(out.size()), 5 * 3.5 * 100);
}

TEST(Faulty, GarbageStandsBetweenWholeFrames) {
  FrameDamage damage({.garbage = 0.1}, 2);
  const Bytes out = passed(damage, stream);
  check_tenth(damage.counts().garbage);
  const auto extra = static_cast<double>(out.size() - stream.size());
  DOUBLES_EQUAL(8.5, extra / static_cast<double>(damage.counts().garbage), 1);
  std::size_t found = 0;  // the frames are still there, in their order
  for (std::size_t i = 0; i < out.size() && found < stream.size(); ++i) {
    found += out[i] == stream[found];
  }
  LONGS_EQUAL(stream.size(), found);
}

TEST(Faulty, EachDirectionHasItsOwnFate) {
  auto inner = std::make_unique<Loopback>();
  FaultyTransport link(std::move(inner), {.lose = 0.5}, 3);
  link.write(stream);
  const std::string back = lockstep::test::receive(link, stream.size());
  LONGS_EQUAL(kFrames, link.sent().frames);
  LONGS_EQUAL(kFrames - link.sent().lost, link.received().frames);
  LONGS_EQUAL((link.received().frames - link.received().lost) * kFrameSize, back.size());
  DOUBLES_EQUAL(kFrames / 4.0, static_cast<double>(back.size()) / kFrameSize, 300);
  STRCMP_EQUAL("never began", link.ended().c_str());
}

TEST(Faulty, TheWaitGoesOnWhileAFrameIsHeldBack) {
  auto inner = std::make_unique<Loopback>();
  FaultyTransport link(std::move(inner), {.lose = 1e-300}, 3);
  lockstep::test::send(link, std::string("0123456789\0", 11));  // comes in pieces of five
  std::uint8_t bytes[64];
  LONGS_EQUAL(11, link.read(bytes, std::chrono::milliseconds(50)));
}
