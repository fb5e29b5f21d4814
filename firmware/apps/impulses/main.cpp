// Moves a tree by impulses and reports the hash of its motion.
#include "apps/place.hpp"
#include "boards/board.hpp"
#include "boards/text.hpp"
#include "chip/tree_motion.hpp"

namespace {

template <class T>
void report(std::string_view name) {
  static lockstep::firmware::Place<lockstep::test::TreeMotion<T>> place;  // too large for the stack
  auto& motion = *new (place.bytes) lockstep::test::TreeMotion<T>;
  lockstep::board::write(name);
  lockstep::board::write(" 0x");
  lockstep::board::write_hex(motion.run(), 16);
  lockstep::board::write("\n");
}

}  // namespace

int lockstep::board::application() {
  report<float>("float");
  report<double>("double");
  return 0;
}
