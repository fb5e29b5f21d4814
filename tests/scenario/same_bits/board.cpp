// What main.cpp prints, from a board.
#include "boards/board.hpp"
#include "boards/text.hpp"
#include "hashes.hpp"

namespace {

bool good = true;

}  // namespace

void lockstep::test::tell(const char* what, const char* scalar, std::uint64_t hash, Status worst) {
  using board::write;
  write(what), write(", "), write(scalar), write(" ");
  board::write_hex(hash, 16);
  write("\n");
  if (has_moved(worst)) return;
  write(what), write(", "), write(scalar), write(": "), write(to_string(worst)), write("\n");
  good = false;
}

int lockstep::board::application() {
  SAME_BITS_PARTS;
  return good ? 0 : 1;
}
