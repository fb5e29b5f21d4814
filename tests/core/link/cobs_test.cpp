#include "lockstep/link/cobs.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <vector>

#include "support/random.hpp"

using namespace lockstep::link;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes encode(const Bytes& from) {
  Bytes to(cobs_size(from.size()));
  to.resize(cobs_encode(from, to.data()));
  return to;
}

Bytes decode(const Bytes& from) {
  CobsDecoder decoder;
  Bytes to;
  for (const std::uint8_t byte : from) {
    const int plain = decoder.push(byte);
    if (plain != CobsDecoder::kNothing) to.push_back(static_cast<std::uint8_t>(plain));
  }
  CHECK_TRUE(decoder.is_whole());
  return to;
}

// first, first + 1, ... last, without zeros
Bytes bytes_from(int first, int last) {
  Bytes bytes;
  for (int i = first; i <= last; ++i) bytes.push_back(static_cast<std::uint8_t>(i));
  return bytes;
}

Bytes join(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

void check(const Bytes& plain, const Bytes& stuffed) {
  CHECK_TRUE(encode(plain) == stuffed);
  CHECK_TRUE(decode(stuffed) == plain);
}

}  // namespace

TEST_GROUP(Cobs){};

TEST(Cobs, EmptyAndZeros) {
  check({}, {1});
  check({0}, {1, 1});
  check({0, 0}, {1, 1, 1});
  check({0, 0x11, 0}, {1, 2, 0x11, 1});
  check({0x11, 0x22, 0, 0x33}, {3, 0x11, 0x22, 2, 0x33});
  check({0x11, 0, 0, 0}, {2, 0x11, 1, 1, 1});
}

TEST(Cobs, RunsAroundAFullBlock) {
  check(bytes_from(1, 253), join({{254}, bytes_from(1, 253)}));
  check(bytes_from(1, 254), join({{255}, bytes_from(1, 254)}));
  check(bytes_from(1, 255), join({{255}, bytes_from(1, 254), {2, 255}}));
  check(join({bytes_from(1, 255), {7}}), join({{255}, bytes_from(1, 254), {3, 255, 7}}));
  check(join({{0}, bytes_from(1, 254)}), join({{1, 255}, bytes_from(1, 254)}));
  check(join({bytes_from(1, 253), {0}}), join({{254}, bytes_from(1, 253), {1}}));
  check(join({bytes_from(1, 254), {0}}), join({{255}, bytes_from(1, 254), {1, 1}}));
  check(join({bytes_from(2, 255), {0, 1}}), join({{255}, bytes_from(2, 255), {1, 2, 1}}));
}

TEST(Cobs, NeverAZeroNeverLongerThanTheBoundAndBackAgain) {
  lockstep::test::Random random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    Bytes plain(static_cast<std::size_t>(random.below(1100)));
    const int zero_in = 1 + random.below(600);  // from none at all to every byte
    for (std::uint8_t& byte : plain) {
      byte = random.below(zero_in) == 0 ? std::uint8_t{0}
                                        : static_cast<std::uint8_t>(1 + random.below(255));
    }
    const Bytes stuffed = encode(plain);
    CHECK_TRUE(std::count(stuffed.begin(), stuffed.end(), 0) == 0);
    CHECK_TRUE(stuffed.size() <= cobs_size(plain.size()));
    CHECK_TRUE(decode(stuffed) == plain);
  }
}

TEST(Cobs, BoundIsReachedWithoutZeros) {
  for (const std::size_t size : {0u, 1u, 253u, 254u, 255u, 508u, 509u, 4096u}) {
    LONGS_EQUAL(cobs_size(size), encode(Bytes(size, 1)).size());
  }
}

TEST(Cobs, StuffsWhereItStands) {
  lockstep::test::Random random(3);
  for (const std::size_t size : {0u, 1u, 254u, 255u, 1016u, 1017u}) {
    Bytes plain(size);
    for (std::uint8_t& byte : plain) byte = static_cast<std::uint8_t>(1 + random.below(255));
    Bytes buffer(cobs_size(size));
    std::copy(plain.begin(), plain.end(), buffer.end() - static_cast<std::ptrdiff_t>(size));
    const std::size_t stuffed = cobs_encode(std::span(buffer).last(size), buffer.data());
    buffer.resize(stuffed);
    CHECK_TRUE(buffer == encode(plain));
  }
}
