// A reader of any part of 24 bytes takes a number, bytes or a vector: it stays within them, gives
// nothing beyond its end, and once something was missing nothing more is taken. So it is for any
// order of takes. memory 1024
#include <array>
#include <span>

#include "proof.hpp"
#define private public
#include "lockstep/link/bytes.hpp"
#undef private

using namespace lockstep::link;

static std::array<std::uint8_t, 24> bytes;
static std::array<std::uint16_t, 2> values;

PROOF {
  any_bytes(&bytes, sizeof bytes);
  const std::size_t begin = any<std::uint8_t>(), size = any<std::uint8_t>();
  assume(begin <= bytes.size() && size <= bytes.size() - begin);
  ByteReader from(std::span<const std::uint8_t>(bytes).subspan(begin, size));
  from.ok_ = any_bool();
  const bool was_ok = from.ok();
  std::size_t wanted = 0;
  switch (any<std::uint8_t>() % 6) {
    case 0: from.take<std::uint8_t>(), wanted = 1; break;
    case 1: from.take<std::uint16_t>(), wanted = 2; break;
    case 2: from.take<std::uint32_t>(), wanted = 4; break;
    case 3: from.take<std::uint64_t>(), wanted = 8; break;
    case 4:
      wanted = any<std::size_t>();
      must(from.take_bytes(wanted).size() == (was_ok && wanted <= size ? wanted : 0));
      break;
    default: from.take_vector(std::span<std::uint16_t>(values)), wanted = 6;
  }
  must(!from.ok() || (was_ok && wanted <= size && from.rest_.size() == size - wanted));
  must(from.rest_.size() <= size);
  must(from.rest_.data() + from.rest_.size() == bytes.data() + begin + size);
}
