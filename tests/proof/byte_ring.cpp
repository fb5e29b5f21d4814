// A ring of any fill, its indices anywhere, where they wrap too: a push or a pop stays within it,
// and what went in first comes out first. memory 1024
#include "proof.hpp"
#define private public
#include "boards/byte_ring.hpp"
#undef private

PROOF {
  lockstep::board::ByteRing<8> ring;
  ring.begin_ = any<std::uint32_t>();
  ring.end_ = ring.begin_ + any<std::uint8_t>() % 9;
  const std::uint32_t fill = ring.end_ - ring.begin_;
  const auto byte = any<std::uint8_t>();
  const bool room = ring.push(byte);
  must(room == (fill < 8));
  must(ring.end_ - ring.begin_ == fill + (room ? 1 : 0));
  int last = -1;
  for (std::uint32_t i = 0; i < fill + (room ? 1 : 0); ++i) last = ring.pop();
  must(!room || last == byte);
  must(ring.is_empty() && ring.pop() == -1);
}
