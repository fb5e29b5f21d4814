// A reader of the largest frames, in any state that `is_sound` allows, meets any byte: it stays
// within its memory, and is sound again. New it is sound. So it is on every stream of any length.
// memory 6144
#include <array>
#include <span>

#include "proof.hpp"
#define private public
#include "lockstep/link/frame.hpp"
#undef private

using namespace lockstep::link;
using Reader = FrameReader<kLargestPayload>;

static Reader reader, fresh;

static bool is_sound(const Reader& r) {
  return r.size_ <= r.buffer_.size() && r.cobs_.left_ >= 0 && r.cobs_.left_ < 255;
}

PROOF {
  must(is_sound(fresh));
  any_bytes(&reader.buffer_, sizeof reader.buffer_);
  reader.size_ = any<std::size_t>();
  reader.cobs_.left_ = any<int>();
  reader.cobs_.zero_behind_ = any_bool();
  any_bytes(&reader.crc_, sizeof reader.crc_);
  reader.began_ = any_bool();
  reader.too_long_ = any_bool();
  assume(is_sound(reader));
  const Frame* frame = reader.push(any<std::uint8_t>());
  must(is_sound(reader));
  if (frame == nullptr) return;
  must(frame->payload.data() == reader.buffer_.data() + kHeaderBytes);
  must(kHeaderBytes + frame->payload.size() + kCrcBytes == reader.size_);
}
