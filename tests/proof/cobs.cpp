// What is stuffed holds no zero, is no longer than cobs_size, and comes out as it went in; seven
// bytes of any value. Stuffing is in place, as frames do it. memory 1024
#include <array>

#include "lockstep/link/cobs.hpp"
#include "proof.hpp"

using namespace lockstep::link;

static std::array<std::uint8_t, 7> plain;
static std::array<std::uint8_t, 9> room;  // a guard behind it

PROOF {
  plain = any<decltype(plain)>();
  const std::size_t size = any<std::uint8_t>();
  assume(size <= plain.size());
  room[8] = 0xA5;
  for (std::size_t i = 0; i < size; ++i) room[1 + i] = plain[i];
  const std::size_t stuffed = cobs_encode(std::span(room).subspan(1, size), room.data());
  must(stuffed <= cobs_size(size) && room[8] == 0xA5);
  CobsDecoder decoder;
  std::size_t count = 0;
  for (std::size_t i = 0; i < stuffed; ++i) {
    must(room[i] != 0);
    const int byte = decoder.push(room[i]);
    if (byte == CobsDecoder::kNothing) continue;
    must(count < size && byte == plain[count]);
    ++count;
  }
  must(count == size && decoder.is_whole());
}
