#include "boards/byte_ring.hpp"

#include <CppUTest/TestHarness.h>

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
