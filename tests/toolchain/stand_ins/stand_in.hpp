// What the stand-ins for other people's systems share: time, text and the end, from
// firmware/boards. They declare what the examples call and no more, in our words; they are no part
// of those systems.
#pragma once

#include <cstdarg>
#include <cstdint>

#include "boards/board.hpp"
#include "boards/text.hpp"

namespace stand_in {

inline constexpr std::uint32_t kLastTick = 300;  // examples never end; here they do

inline void start() { lockstep::board::start_ticking(lockstep::board::kClockHz / 1000); }

// Milliseconds, of which the board has had so many.
inline std::uint32_t milliseconds() { return lockstep::board::ticks(); }

// %d, %08x and plain text.
inline void print(const char* format, va_list values) {
  using namespace lockstep::board;
  for (const char* c = format; *c != '\0'; ++c) {
    if (*c != '%') {
      write({c, 1});
    } else if (*++c == 'd') {
      write_decimal(static_cast<std::uint64_t>(va_arg(values, int)));
    } else {
      while (*c != 'x') ++c;
      write_hex(va_arg(values, unsigned), 8);
    }
  }
}
[[gnu::format(printf, 1, 2)]] inline void print(const char* format, ...) {
  va_list values;
  va_start(values, format);
  print(format, values);
  va_end(values);
}

// To be called once a round of the example's loop.
inline void end_after(std::uint32_t round) {
  if (round > kLastTick) lockstep::board::halt(0);
}

}  // namespace stand_in
