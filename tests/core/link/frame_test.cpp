#include "lockstep/link/frame.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "support/allocation_guard.hpp"
#include "support/damaged_line.hpp"
#include "support/random.hpp"

using namespace lockstep::link;
using lockstep::test::Random;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(Random& random, std::size_t size) {
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
  return bytes;
}

// A frame of any version, from the definition: CRC bit by bit, zeros replaced by the way to the
// next. Short frames only.
Bytes frame_by_definition(std::uint8_t version, const Bytes& header_and_payload) {
  Bytes plain = {version};
  plain.insert(plain.end(), header_and_payload.begin(), header_and_payload.end());
  std::uint32_t crc = 0xFFFFFFFF;
  for (const std::uint8_t byte : plain) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  for (int shift = 0; shift < 32; shift += 8) {
    plain.push_back(static_cast<std::uint8_t>(~crc >> shift));
  }
  Bytes wire = {0, 0};
  std::size_t code = 1;
  plain.push_back(0);
  for (const std::uint8_t byte : plain) {
    if (byte == 0) {
      wire[code] = static_cast<std::uint8_t>(wire.size() - code);
      code = wire.size();
    }
    wire.push_back(byte);
  }
  return wire;
}

}  // namespace

TEST_GROUP(Frame) {
  FrameWriter<64> writer;
  FrameReader<64> reader;
  Random random{4};

  Bytes frame(const Header& header, const Bytes& payload) {
    writer.begin(header).put_bytes(payload);
    const auto wire = writer.finish();
    return {wire.begin(), wire.end()};
  }
  // the frames that came out
  int push(const Bytes& bytes) {
    int frames = 0;
    for (const std::uint8_t byte : bytes) frames += reader.push(byte) != nullptr ? 1 : 0;
    return frames;
  }
};

TEST(Frame, CrcHasTheKnownAnswer) {
  constexpr std::string_view kDigits = "123456789";
  CHECK_TRUE(Crc(kDigits.begin(), kDigits.end()).value() == 0xE3069283u);
}

TEST(Frame, IsAsDefined) {
  const Bytes expected = frame_by_definition(
      2, {0x8B, 0x34, 0x12, 4, 3, 2, 1, 0xF0, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12,  //
          7, 0, 0, 9});
  CHECK_TRUE(frame({0x8B, 0x1234, 0x123456789ABCDEF0, 0x01020304}, {7, 0, 0, 9}) == expected);
}

TEST(Frame, ComesOutAsItWentIn) {
  for (std::size_t size = 0; size <= 64; ++size) {
    const Header header = {static_cast<std::uint8_t>(size), 7, size << 40};
    const Bytes payload = random_bytes(random, size);
    const Bytes wire = frame(header, payload);
    const Frame* found = nullptr;
    for (const std::uint8_t byte : wire) {
      CHECK_TRUE(found == nullptr);  // not before the last byte
      found = reader.push(byte);
    }
    CHECK_TRUE(found != nullptr);
    CHECK_TRUE(found->header == header);
    CHECK_TRUE(
        std::equal(payload.begin(), payload.end(), found->payload.begin(), found->payload.end()));
  }
  LONGS_EQUAL(65, reader.good());
  LONGS_EQUAL(0, reader.damaged());
}

TEST(Frame, NothingIsAllocated) {
  const Bytes payload = random_bytes(random, 64);
  LONGS_EQUAL(0, lockstep::test::allocations_in([&] {
                writer.begin({}).put_bytes(payload);
                for (const std::uint8_t byte : writer.finish()) reader.push(byte);
              }));
  LONGS_EQUAL(1, reader.good());
}

TEST(Frame, LargestPayload) {
  const auto large_writer = std::make_unique<FrameWriter<kLargestPayload>>();
  const auto large_reader = std::make_unique<FrameReader<kLargestPayload>>();
  CHECK_TRUE(sizeof(*large_writer) + sizeof(*large_reader) < 2 * kLargestPayload + 300);
  for (const std::uint8_t fill : Bytes{0, 1}) {  // the shortest and the longest stuffing
    const Bytes payload(kLargestPayload, fill);
    large_writer->begin({1, 2, 3}).put_bytes(payload);
    const Frame* found = nullptr;
    for (const std::uint8_t byte : large_writer->finish()) found = large_reader->push(byte);
    CHECK_TRUE(found != nullptr);
    LONGS_EQUAL(kLargestPayload, found->payload.size());
    CHECK_TRUE(std::equal(payload.begin(), payload.end(), found->payload.begin()));
  }
}

TEST(Frame, PayloadThatDoesNotFitGivesNothingToSend) {
  CHECK_TRUE(frame({}, Bytes(65)).empty());
  CHECK_TRUE(writer.last().empty());
  CHECK_FALSE(frame({}, Bytes(64)).empty());
}

TEST(Frame, LastFrameCanBeSentAgainUntilTheNextBegins) {
  CHECK_TRUE(writer.last().empty());
  CHECK_TRUE(writer.finish().empty());  // nothing was begun
  const Bytes wire = frame({1, 2, 3}, {4, 5});
  CHECK_TRUE(std::equal(wire.begin(), wire.end(), writer.last().begin(), writer.last().end()));
  writer.begin({});
  CHECK_TRUE(writer.last().empty());
}

TEST(Frame, EveryFlippedBitIsNoticed) {
  const Bytes wire = frame({0x0B, 3, 1000}, random_bytes(random, 40));
  for (std::size_t i = 0; i < wire.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = wire;
      damaged[i] ^= static_cast<std::uint8_t>(1u << bit);
      push(damaged);
      LONGS_EQUAL(0, reader.good());
    }
  }
  LONGS_EQUAL(1, push(wire));
}

TEST(Frame, GarbageCostsNoGoodFrame) {
  const Bytes wire = frame({1, 2, 3}, {4, 5, 6});
  for (int trial = 0; trial < 10000; ++trial) {
    push(random_bytes(random, static_cast<std::size_t>(random.below(200))));
    LONGS_EQUAL(1, push(wire));
  }
}

TEST(Frame, TooLongIsDroppedUpToTheNextZero) {
  Bytes endless(100000, 1);
  LONGS_EQUAL(0, push(endless));
  LONGS_EQUAL(0, reader.damaged());
  LONGS_EQUAL(1, push(frame({}, {1})));
  LONGS_EQUAL(1, reader.damaged());

  FrameWriter<65> larger;
  larger.begin({}).put_bytes(Bytes(65));
  const auto wire = larger.finish();
  LONGS_EQUAL(0, push({wire.begin(), wire.end()}));
  LONGS_EQUAL(2, reader.damaged());
}

TEST(Frame, ZerosBetweenFramesAreNoFrames) {
  push(Bytes(100));
  LONGS_EQUAL(1, push(frame({}, {})));
  push(Bytes(100));
  LONGS_EQUAL(0, reader.damaged());
  LONGS_EQUAL(1, reader.good());
}

TEST(Frame, OtherVersionIsToldAndNotAccepted) {
  const Bytes rest = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 42};
  LONGS_EQUAL(1, push(frame_by_definition(kVersion, rest)));
  LONGS_EQUAL(0, reader.wrong_version());
  LONGS_EQUAL(0, push(frame_by_definition(1, rest)));
  LONGS_EQUAL(1, reader.wrong_version());
  LONGS_EQUAL(1, reader.foreign());
  LONGS_EQUAL(0, reader.damaged());
  // another version's header may be of another length
  LONGS_EQUAL(0, push(frame_by_definition(3, Bytes(40, 1))));
  LONGS_EQUAL(3, reader.wrong_version());
}

TEST(Frame, ShorterThanAHeaderIsDamaged) {
  for (std::size_t size = 0; size < kHeaderBytes - 1; ++size) {
    LONGS_EQUAL(0, push(frame_by_definition(kVersion, Bytes(size, 1))));
    LONGS_EQUAL(size + 1, reader.damaged());
  }
}

TEST(Frame, RandomBytesAreNoFrame) {
  for (int i = 0; i < 1000000; ++i) {
    const std::uint64_t bits = random.bits();
    // many zeros and small codes, so that frames end and blocks close
    const bool small = (bits >> 32) % 4 == 0;
    CHECK_TRUE(reader.push(static_cast<std::uint8_t>(small ? bits % 20 : bits)) == nullptr);
  }
  CHECK_TRUE(reader.damaged() > 1000);
}

TEST(Frame, DamagedFramesAreRefusedAndGoodOnesArrive) {
  const auto line = std::make_unique<lockstep::test::DamagedLine<kLargestPayload>>(5);
  while (line->sent() < 100000) line->send();
  LONGS_EQUAL(0, line->changed());
  LONGS_EQUAL(0, line->lost());
  CHECK_TRUE(line->refused() > 80000);
  CHECK_TRUE(line->unharmed() > 100);  // the judge knows a frame that is as it was
}
