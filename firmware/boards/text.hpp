// Short lines of text over the board's UART, for reports; nothing of libc's printf. They wait
// until the UART has taken everything, so a loop must not use them.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::board {

void write(std::string_view text);
void write_decimal(std::uint64_t value);
void write_hex(std::uint64_t value, int digits);

}  // namespace lockstep::board
