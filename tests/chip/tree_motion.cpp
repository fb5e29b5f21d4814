// What firmware/apps/impulses reports, from the host.
#include "chip/tree_motion.hpp"

#include "chip/print_hash.hpp"

int main() {
  lockstep::test::print_hash<lockstep::test::TreeMotion<float>>("float");
  lockstep::test::print_hash<lockstep::test::TreeMotion<double>>("double");
}
