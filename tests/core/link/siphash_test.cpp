#include "lockstep/link/siphash.hpp"

#include <CppUTest/TestHarness.h>

#include <vector>

using namespace lockstep::link;

namespace {

Key counting_key() {
  Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}
std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
  SipHash hash(counting_key());
  hash.add(bytes);
  return hash.finish();
}

}  // namespace

TEST_GROUP(SipHash){};

// Of the messages 00, 00 01, ...: the paper's appendix has the one of 15 bytes, its authors'
// vectors.h all.
TEST(SipHash, GivesThePublishedVectors) {
  constexpr std::uint64_t kPublished[] = {
      0x726FDB47DD0E0E31, 0x74F839C593DC67FD, 0x0D6C8009D9A94F5A, 0x85676696D7FB7E2D,
      0xCF2794E0277187B7, 0x18765564CD99A68D, 0xCBC9466E58FEE3CE, 0xAB0200F58B01D137,
      0x93F5F5799A932462, 0x9E0082DF0BA9E4B0, 0x7A5DBBC594DDB9F3, 0xF4B32F46226BADA7,
      0x751E8FBC860EE5FB, 0x14EA5627C0843D90, 0xF723CA908E7AF2EE, 0xA129CA6149BE45E5};
  std::vector<std::uint8_t> message;
  for (const std::uint64_t published : kPublished) {
    CHECK_TRUE(published == hash_of(message));
    message.push_back(static_cast<std::uint8_t>(message.size()));
  }
}

// openssl mac -macopt hexkey:000102030405060708090a0b0c0d0e0f -macopt size:8 -in FILE SIPHASH:
// beyond 255 bytes
TEST(SipHash, AgreesWithOpenSslOnALongMessage) {
  std::vector<std::uint8_t> message;
  for (int i = 0; i < 300; ++i) message.push_back(static_cast<std::uint8_t>(7 * i));
  CHECK_TRUE(0x6DBF430C001CE831 == hash_of(message));
}

TEST(SipHash, NumbersEnterAsOnTheWire) {
  SipHash numbers(counting_key());
  numbers.add(std::uint8_t{0});
  numbers.add(std::uint16_t{0x0201});
  numbers.add(std::uint32_t{0x06050403});
  numbers.add(std::uint64_t{0x0E0D0C0B0A090807});
  CHECK_TRUE(0xA129CA6149BE45E5 == numbers.finish());
}

TEST(SipHash, ATagDiffersByAnyBit) {
  for (int bit = 0; bit < 64; ++bit) {
    CHECK_FALSE(is_same_tag(0x123456789ABCDEF0, 0x123456789ABCDEF0 ^ std::uint64_t{1} << bit));
  }
  CHECK_TRUE(is_same_tag(0x123456789ABCDEF0, 0x123456789ABCDEF0));
}
