#include "lockstep/link/bytes.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <vector>

#include "support/random.hpp"

using namespace lockstep::link;

TEST_GROUP(Bytes) {
  std::array<std::uint8_t, 64> buffer = {};
  ByteWriter writer{buffer};
};

TEST(Bytes, LeastSignificantByteComesFirst) {
  writer.put(std::uint8_t{0x01});
  writer.put(std::uint16_t{0x0302});
  writer.put(std::uint32_t{0x07060504});
  writer.put(std::uint64_t{0x0F0E0D0C0B0A0908});
  writer.put(1.0f);  // 3F800000
  writer.put(-2.0);  // C000000000000000
  const std::array<std::uint8_t, 27> expected = {1,    2,  3,  4,  5,  6,  7, 8, 9,
                                                 10,   11, 12, 13, 14, 15, 0, 0, 0x80,
                                                 0x3F, 0,  0,  0,  0,  0,  0, 0, 0xC0};
  CHECK_TRUE(writer.ok());
  LONGS_EQUAL(expected.size(), writer.written().size());
  MEMCMP_EQUAL(expected.data(), writer.written().data(), expected.size());
}

TEST(Bytes, NumbersReturnWithTheirBits) {
  lockstep::test::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = random.bits();  // NaNs and subnormals among them
    const auto real = std::bit_cast<double>(bits);
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    ByteWriter to(buffer);
    to.put(real), to.put(single), to.put(bits), to.put(static_cast<std::uint16_t>(bits));
    ByteReader from(to.written());
    CHECK_TRUE(std::bit_cast<std::uint64_t>(from.take<double>()) == bits);
    CHECK_TRUE(std::bit_cast<std::uint32_t>(from.take<float>()) ==
               static_cast<std::uint32_t>(bits));
    CHECK_TRUE(from.take<std::uint64_t>() == bits);
    CHECK_TRUE(from.take<std::uint16_t>() == static_cast<std::uint16_t>(bits));
    CHECK_TRUE(from.at_end());
  }
}

TEST(Bytes, OverrunWritesNothingAndStays) {
  ByteWriter to{std::span(buffer).first(5)};
  to.put(std::uint32_t{0x11111111});
  to.put(std::uint16_t{0x2222});
  CHECK_FALSE(to.ok());
  to.put(std::uint8_t{0x33});  // would fit, but the message is broken
  CHECK_FALSE(to.ok());
  LONGS_EQUAL(4, to.written().size());
  LONGS_EQUAL(0, buffer[4]);
}

TEST(Bytes, MissingBytesReadAsZeroAndStayMissing) {
  const std::array<std::uint8_t, 3> bytes = {1, 2, 3};
  ByteReader from(bytes);
  LONGS_EQUAL(0, from.take<std::uint32_t>());
  CHECK_FALSE(from.ok());
  LONGS_EQUAL(0, from.take<std::uint8_t>());
  CHECK_FALSE(from.at_end());
  LONGS_EQUAL(0, from.take_bytes(1).size());
}

TEST(Bytes, VectorNeedsItsExactCount) {
  const std::array<float, 3> values = {1, 2, 3};
  writer.put_vector(std::span<const float>(values));
  LONGS_EQUAL(2 + 3 * 4, writer.written().size());

  std::array<float, 4> out = {};
  ByteReader exact(writer.written());
  exact.take_vector(std::span(out).first(3));
  CHECK_TRUE(exact.at_end());
  CHECK_TRUE(out == (std::array<float, 4>{1, 2, 3, 0}));

  for (const std::size_t wrong : {0u, 2u, 4u}) {
    ByteReader from(writer.written());
    from.take_vector(std::span(out).first(wrong));
    CHECK_FALSE(from.ok());
  }
}

TEST(Bytes, VectorThatLacksItsEndIsRefused) {
  const std::array<double, 2> values = {1, 2};
  writer.put_vector(std::span<const double>(values));
  std::array<double, 2> out = {};
  for (std::size_t size = 0; size < writer.written().size(); ++size) {
    ByteReader from(writer.written().first(size));
    from.take_vector(std::span<double>(out));
    CHECK_FALSE(from.ok());
  }
}

TEST(Bytes, AVectorThatItsCountCannotTellIsNotWritten) {
  std::vector<std::uint8_t> values(65536, 7), room(70000);
  ByteWriter largest(room);
  largest.put_vector(std::span<const std::uint8_t>(values).first(65535));
  CHECK_TRUE(largest.ok());
  LONGS_EQUAL(2 + 65535, largest.written().size());
  ByteWriter beyond(room);
  beyond.put_vector(std::span<const std::uint8_t>(values));
  CHECK_FALSE(beyond.ok());
  LONGS_EQUAL(0, beyond.written().size());
  beyond.put_vector(std::span<const std::uint8_t>(values).first(1));  // and so it stays
  CHECK_FALSE(beyond.ok());
}

TEST(Bytes, WhatFitsExactlyIsWritten) {
  ByteWriter exact{std::span<std::uint8_t>(buffer).first(6)};
  exact.put_bytes(std::array<std::uint8_t, 2>{7, 8});
  exact.put(std::uint32_t{0x0C0B0A09});
  CHECK_TRUE(exact.ok());
  const std::array<std::uint8_t, 6> expected = {7, 8, 9, 10, 11, 12};
  MEMCMP_EQUAL(expected.data(), exact.written().data(), expected.size());
  exact.put(std::uint8_t{1});
  CHECK_FALSE(exact.ok());
  LONGS_EQUAL(6, exact.written().size());
  ByteReader from(exact.written());
  from.take<std::uint32_t>();
  CHECK_TRUE(from.ok() && !from.at_end());
  from.take<std::uint16_t>();
  CHECK_TRUE(from.at_end());
  from.refuse();
  CHECK_FALSE(from.ok() || from.at_end());
}
