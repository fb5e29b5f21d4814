// A motion that an image makes by itself, for the tests that compare its bits with the host's.
#pragma once

#include <new>

#include "apps/place.hpp"
#include "boards/text.hpp"

namespace lockstep::firmware {

template <class Motion>
void report_hash(std::string_view name) {
  static Place<Motion> place;  // too large for the stack
  auto& motion = *new (place.bytes) Motion;
  board::write(name);
  board::write(" 0x");
  board::write_hex(motion.run(), 16);
  board::write("\n");
}

}  // namespace lockstep::firmware
