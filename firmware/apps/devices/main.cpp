// Moves an arm with drivetrains, sensors and observers, and reports the hash of all they tell.
#include "apps/report_hash.hpp"
#include "boards/board.hpp"
#include "chip/driven_motion.hpp"

int lockstep::board::application() {
  firmware::report_hash<test::DrivenMotions<float>>("float");
  firmware::report_hash<test::DrivenMotions<double>>("double");
  return 0;
}
