#include "boards/text.hpp"

#include "boards/board.hpp"

namespace lockstep::board {

namespace {

void write_now(char c) {
  while (!write(static_cast<std::uint8_t>(c))) {
  }
}

}  // namespace

void write(std::string_view text) {
  for (const char c : text) write_now(c);
}

void write_decimal(std::uint64_t value) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count != 0) write_now(digits[--count]);
}

void write_hex(std::uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    write_now("0123456789abcdef"[(value >> shift) & 15]);
  }
}

}  // namespace lockstep::board
