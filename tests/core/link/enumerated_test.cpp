// Every state of the readers of bytes meets every byte: by induction over the stream that holds for
// all streams, of any length. Sanitizers watch each step where the tests run under them.
#include <CppUTest/TestHarness.h>

#include <array>
#include <vector>

#include "lockstep/link/bytes.hpp"
#include "lockstep/link/frame.hpp"

using namespace lockstep::link;

namespace {

// All that a decoder remembers is how many bytes are left of a block and whether a zero stands
// behind it. After a code c and n bytes of its block, c - 1 - n are left.
constexpr int kStates = 255;
struct Opening {
  std::uint8_t code;
  int bytes;  // of its block that have come
};
// Ways into each state that there is: a block of 255 hides no zero, shorter ones do.
std::vector<Opening> openings() {
  std::vector<Opening> all;
  for (int left = 0; left < kStates; ++left) {
    if (left < kStates - 1) all.push_back({static_cast<std::uint8_t>(left + 1), 0});
    all.push_back({255, kStates - 1 - left});
  }
  return all;
}

}  // namespace

TEST_GROUP(Enumerated){};

// The definition: within a block a byte is itself; at its end a byte is the next code, and stands
// for the zero between two blocks unless the block before was of 255 or there was none.
TEST(Enumerated, EveryStateOfTheDecoderMeetsEveryByte) {
  int met = 0;
  for (const Opening& opening : openings()) {
    for (int byte = 1; byte < 256; ++byte) {
      CobsDecoder decoder;
      CHECK_EQUAL(CobsDecoder::kNothing, decoder.push(opening.code));
      for (int i = 0; i < opening.bytes; ++i) CHECK_EQUAL(7, decoder.push(7));
      const int left = opening.code - 1 - opening.bytes;
      CHECK_EQUAL(left == 0, decoder.is_whole());
      const int plain = decoder.push(static_cast<std::uint8_t>(byte));
      const int after = left == 0 ? byte - 1 : left - 1;
      if (left > 0) {
        CHECK_EQUAL(byte, plain);
      } else {
        CHECK_EQUAL(opening.code == 255 ? CobsDecoder::kNothing : 0, plain);
      }
      for (int i = 0; i < after; ++i) {  // where it went: so many bytes, and then a code
        CHECK_FALSE(decoder.is_whole());
        CHECK_EQUAL(9, decoder.push(9));
      }
      CHECK_TRUE(decoder.is_whole());
      ++met;
    }
  }
  LONGS_EQUAL(255 * (2 * kStates - 1), met);
}

// Where a reader writes depends on how many bytes it holds and on its decoder. The smallest reader
// there is, at each fill up to beyond its room.
TEST(Enumerated, EveryFillOfAReaderMeetsEveryByte) {
  constexpr std::size_t kRoom = kHeaderBytes + kCrcBytes;
  for (const Opening& opening : openings()) {
    for (std::size_t fill = 0; fill <= kRoom + 1; ++fill) {
      for (const int byte : {0, 1, 2, 254, 255}) {
        FrameReader<0> reader;
        reader.push(static_cast<std::uint8_t>(fill + 1));
        for (std::size_t i = 0; i < fill; ++i) reader.push(7);
        reader.push(opening.code);
        for (int i = 0; i < opening.bytes; ++i) reader.push(7);
        CHECK_TRUE(reader.push(static_cast<std::uint8_t>(byte)) == nullptr);
        CHECK_TRUE(reader.push(0) == nullptr);
        LONGS_EQUAL(0, reader.good());
        LONGS_EQUAL(1, reader.damaged());
      }
    }
  }
}

// Whatever is taken from however many bytes: what is missing is zero, and nothing comes after it.
TEST(Enumerated, EveryTakeFromEverySizeStaysWithin) {
  for (std::size_t size = 0; size <= 20; ++size) {
    for (int takes = 0; takes < 4 * 4 * 4; ++takes) {
      const std::vector<std::uint8_t> bytes(size,
                                            0xFF);  // of its own, so that a step beyond is seen
      ByteReader from(bytes);
      std::size_t taken = 0;
      bool whole = true;
      for (int choice = takes, i = 0; i < 3; ++i, choice /= 4) {
        const std::size_t width = std::size_t{1} << choice % 4;
        const std::uint64_t value = width == 1   ? from.take<std::uint8_t>()
                                    : width == 2 ? from.take<std::uint16_t>()
                                    : width == 4 ? from.take<std::uint32_t>()
                                                 : from.take<std::uint64_t>();
        whole = whole && taken + width <= size;
        if (whole) taken += width;
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * width);
        CHECK_TRUE(value == (whole ? all : 0));
        CHECK_EQUAL(whole, from.ok());
      }
      CHECK_EQUAL(whole && taken == size, from.at_end());
    }
  }
}

// A vector's count is taken only if it is the one that is expected.
TEST(Enumerated, EveryCountOfAVectorMeetsEveryRoom) {
  for (std::uint32_t count = 0; count < 1u << 16; ++count) {
    for (const std::size_t room : {0u, 1u, 3u}) {
      std::vector<std::uint8_t> bytes(2 + room);
      bytes[0] = static_cast<std::uint8_t>(count);
      bytes[1] = static_cast<std::uint8_t>(count >> 8);
      std::vector<std::uint8_t> values(room);
      ByteReader from(bytes);
      from.take_vector(std::span(values));
      CHECK_EQUAL(count == room, from.at_end());
    }
  }
}
