// Moves a tree by impulses and reports the hash of its motion.
#include "apps/report_hash.hpp"
#include "boards/board.hpp"
#include "chip/tree_motion.hpp"

int lockstep::board::application() {
  firmware::report_hash<test::TreeMotion<float>>("float");
  firmware::report_hash<test::TreeMotion<double>>("double");
  return 0;
}
