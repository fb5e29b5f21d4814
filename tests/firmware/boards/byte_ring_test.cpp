#include "boards/byte_ring.hpp"

#include <CppUTest/TestHarness.h>

#include <deque>

using lockstep::board::ByteRing;

TEST_GROUP(ByteRing){};

TEST(ByteRing, BytesComeOutAsTheyWentInAcrossManyTurns) {
  ByteRing<8> ring;
  std::uint8_t in = 0, out = 0;
  for (int i = 0; i < 1000; ++i) {
    for (int n = 0; n < i % 9; ++n) ring.push(in++);
    for (int n = 0; n < i % 9; ++n) LONGS_EQUAL(out++, ring.pop());
    LONGS_EQUAL(-1, ring.pop());
  }
}

TEST(ByteRing, AFullRingKeepsWhatItHasAndDropsTheRest) {
  ByteRing<4> ring;
  for (std::uint8_t byte = 10; byte < 20; ++byte) CHECK_TRUE(ring.push(byte) == (byte < 14));
  LONGS_EQUAL(6, ring.dropped());
  for (int byte = 10; byte < 14; ++byte) LONGS_EQUAL(byte, ring.pop());
  LONGS_EQUAL(-1, ring.pop());
  ring.push(255);
  LONGS_EQUAL(255, ring.pop());
}

// Beside a queue of any length, all 2^16 orders of sixteen.
TEST(ByteRing, EveryOrderOfPushesAndPops) {
  for (unsigned order = 0; order < 1u << 16; ++order) {
    ByteRing<4> ring;
    std::deque<int> queue;
    std::uint32_t dropped = 0;
    for (unsigned i = 0; i < 16; ++i) {
      if ((order >> i & 1) != 0) {
        const bool room = queue.size() < 4;
        CHECK_EQUAL(room, ring.push(static_cast<std::uint8_t>(i)));
        if (room) queue.push_back(static_cast<int>(i));
        dropped += room ? 0 : 1;
      } else {
        LONGS_EQUAL(queue.empty() ? -1 : queue.front(), ring.pop());
        if (!queue.empty()) queue.pop_front();
      }
      CHECK_EQUAL(queue.empty(), ring.is_empty());
      CHECK_EQUAL(queue.size() == 4, ring.is_full());
    }
    LONGS_EQUAL(dropped, ring.dropped());
  }
}
