// One byte of CRC-32C by its table of sixteen, from any state, is that byte bit by bit.
// memory 1024
#include "lockstep/link/frame.hpp"
#include "proof.hpp"

using namespace lockstep::link;

PROOF {
  Crc crc;
  any_bytes(&crc, sizeof crc);
  const auto byte = any<std::uint8_t>();
  std::uint32_t by_bits = ~crc.value() ^ byte;
  for (int bit = 0; bit < 8; ++bit)
    by_bits = by_bits >> 1 ^ ((by_bits & 1) != 0 ? 0x82F63B78u : 0u);
  crc.add(byte);
  must(~crc.value() == by_bits);
}
