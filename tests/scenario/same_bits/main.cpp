// Prints a hash of every bit that solvers, steppers, drivetrains, sensors and observers answer, in
// float and double; the exit code is 1 if one of them refused.
#include "hashes.hpp"
#include "print.hpp"

int main() {
  SAME_BITS_PARTS;
  return lockstep::test::all_went() ? 0 : 1;
}
