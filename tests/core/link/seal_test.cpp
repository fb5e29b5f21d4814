#include "lockstep/link/seal.hpp"

#include <CppUTest/TestHarness.h>

#include <vector>

#include "support/allocation_guard.hpp"

using namespace lockstep;
using namespace lockstep::link;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr Key kKey = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr Header kHello = {request_type(MessageType::kHello), 1, 0, 0};
constexpr Header kHelloReply = {reply_type(MessageType::kHello), 1, 0, 0};
constexpr Header kStep = {request_type(MessageType::kStep), 2, 1000, 77};
constexpr Header kStepReply = {reply_type(MessageType::kStep), 2, 1001, 77};

struct Sealed {
  Header header;
  Bytes payload;
};

Sealed close(Seal& seal, const Header& header, const Bytes& payload = {}) {
  Bytes room(payload.size() + Seal::kBytes);
  ByteWriter to(room);
  seal.close(header, payload, to);
  CHECK_TRUE(to.ok() && to.written().size() == room.size());
  return {header, room};
}
bool open(Seal& seal, const Sealed& sealed, Bytes* payload = nullptr) {
  Frame plain;
  const bool opened = seal.open({sealed.header, sealed.payload}, plain);
  if (opened) CHECK_TRUE(plain.header == sealed.header);
  if (opened && payload != nullptr) *payload = {plain.payload.begin(), plain.payload.end()};
  return opened;
}
void meet(Seal& host, Seal& target) {
  CHECK_TRUE(open(target, close(host, kHello)));
  CHECK_TRUE(open(host, close(target, kHelloReply)));
}

}  // namespace

TEST_GROUP(Seal) { Seal host{kKey, End::kHost, 100}, target{kKey, End::kTarget, 7}; };

TEST(Seal, WhatOneClosesTheOtherOpens) {
  meet(host, target);
  Bytes payload;
  CHECK_TRUE(open(target, close(host, kStep, {1, 0, 2}), &payload));
  CHECK_TRUE((payload == Bytes{1, 0, 2}));
  CHECK_TRUE(open(host, close(target, kStepReply), &payload));
  CHECK_TRUE(payload.empty());
  LONGS_EQUAL(0, host.refused() + target.refused());
}

// docs/wire-format.md's example, whose tag openssl computed (see siphash_test)
TEST(Seal, IsAsTheWireFormatTells) {
  Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  Seal documented(key, End::kHost, 1);
  const Sealed hello = close(documented, kHello);
  ByteReader from(hello.payload);
  CHECK_TRUE(from.take<std::uint64_t>() == 1 && from.take<std::uint64_t>() == 1);
  CHECK_TRUE(from.take<std::uint64_t>() == 0xAD800F97CE2D88D5);
}

// with the CRC made good, which needs no key
TEST(Seal, AnyBitOfHeaderPayloadOrSealCounts) {
  meet(host, target);
  const Sealed good = close(host, kStep, {5, 6, 7});
  for (std::size_t bit = 0; bit < 8 * good.payload.size(); ++bit) {
    Sealed bad = good;
    bad.payload[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    CHECK_FALSE(open(target, bad));
  }
  for (int bit = 0; bit < 120; ++bit) {
    Sealed bad = good;
    if (bit < 8)
      bad.header.type ^= static_cast<std::uint8_t>(1u << bit);
    else if (bit < 24)
      bad.header.sequence ^= static_cast<std::uint16_t>(1u << (bit - 8));
    else if (bit < 56)
      bad.header.session ^= 1u << (bit - 24);
    else
      bad.header.step ^= std::uint64_t{1} << (bit - 56);
    CHECK_FALSE(open(target, bad));
  }
  for (std::size_t size = 0; size < good.payload.size(); ++size) {
    CHECK_FALSE(
        open(target, {good.header, {good.payload.begin(), good.payload.begin() + long(size)}}));
  }
  LONGS_EQUAL(8 * 27 + 120 + 27, target.refused());
  CHECK_TRUE(open(target, good));  // nothing had changed
}

TEST(Seal, AnotherKeyIsRefused) {
  Key other = kKey;
  other[15] ^= 0x80;
  Seal stranger(other, End::kHost, 100);
  CHECK_FALSE(open(target, close(stranger, kHello)));
}

TEST(Seal, WhatWasHeardOnceIsNotTakenAgain) {
  meet(host, target);
  const Sealed first = close(host, kStep), second = close(host, kStep);
  CHECK_TRUE(open(target, first));
  CHECK_FALSE(open(target, first));
  CHECK_TRUE(open(target, second));
  CHECK_FALSE(open(target, first));
}

TEST(Seal, AFrameDoesNotComeBackToItsSender) {
  meet(host, target);
  Seal same_epoch(kKey, End::kTarget, 100);
  CHECK_FALSE(open(host, close(host, kStep)));
  CHECK_FALSE(open(same_epoch, close(same_epoch, kStep)));
}

TEST(Seal, FramesFromBeforeAResetOfTheTargetAreRefused) {
  meet(host, target);
  const Sealed old_hello = close(host, kHello), old_step = close(host, kStep);
  Seal again(kKey, End::kTarget, 8);
  CHECK_TRUE(open(again, old_hello));  // it changes nothing, and so its answer may come again
  CHECK_FALSE(open(again, old_step));
  CHECK_FALSE(open(host, close(again, kStepReply)));  // the host does not know this start yet
  meet(host, again);
  CHECK_FALSE(open(again, old_step));
  CHECK_TRUE(open(again, close(host, kStep)));
}

TEST(Seal, FramesFromBeforeANewStartOfTheHostAreRefused) {
  meet(host, target);
  const Sealed old_step = close(host, kStep), old_reply = close(target, kStepReply);
  const Sealed old_hello_reply = close(target, kHelloReply);
  Seal again(kKey, End::kHost, 101);
  CHECK_FALSE(open(again, old_hello_reply));
  meet(again, target);
  CHECK_FALSE(open(again, old_reply));
  CHECK_TRUE(open(target, close(again, kStep)));
  CHECK_FALSE(open(target, old_step));  // an earlier start's, with a counter that has not been seen
  CHECK_FALSE(open(target, close(host, kHello)));
}

// recorded from an earlier start, for this very host
TEST(Seal, AHostDoesNotGoBackToAnEarlierStartOfItsTarget) {
  CHECK_TRUE(open(target, close(host, kHello)));
  const Sealed late_reply = close(target, kHelloReply);
  Seal again(kKey, End::kTarget, 8);
  meet(host, again);
  CHECK_FALSE(open(host, late_reply));
  CHECK_TRUE(open(host, close(again, kHelloReply)));
}

TEST(Seal, WithoutAnEpochNothingIsTaken) {
  Seal nobody(kKey, End::kTarget, 0), host_without(kKey, End::kHost, 0);
  CHECK_FALSE(open(nobody, close(host, kHello)));
  CHECK_FALSE(open(target, close(host_without, kHello)));
}

TEST(Seal, NeverAsksAnAllocator) {
  std::uint8_t room[64];
  LONGS_EQUAL(0, test::allocations_in([&] {
                ByteWriter to(room);
                host.close(kHello, {}, to);
                Frame plain;
                static_cast<void>(target.open({kHello, to.written()}, plain));
              }));
}

// It has the key, and yet an epoch of 0 would let a recording come again after every start.
TEST(Seal, WhoHasNoEpochIsRefused) {
  Seal nobody(kKey, End::kHost, 0);
  CHECK_FALSE(open(target, close(nobody, kHello)));
  LONGS_EQUAL(1, target.refused());
}

// It has the key and knows the host's epoch, but has not answered this host's hello.
TEST(Seal, AHostTakesALaterStartByItsHelloAlone) {
  meet(host, target);
  Seal later(kKey, End::kTarget, 8), same_epoch(kKey, End::kHost, 100);
  meet(same_epoch, later);
  CHECK_TRUE(open(later, close(same_epoch, kStep)));
  CHECK_FALSE(open(host, close(later, kStepReply)));
  LONGS_EQUAL(1, host.refused());
}
