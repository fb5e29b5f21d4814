// What firmware/apps/devices reports, from the host.
#include "chip/driven_motion.hpp"

#include "chip/print_hash.hpp"

int main() {
  lockstep::test::print_hash<lockstep::test::DrivenMotions<float>>("float");
  lockstep::test::print_hash<lockstep::test::DrivenMotions<double>>("double");
}
