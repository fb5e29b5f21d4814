// The port as a user builds it, with a motors.hpp beside it.
#include "ports/moteus_socketcan.cpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;

TEST_GROUP(MoteusSocketcan){};

// What is not there is a fault of the drives in the first tick, and safe without any bus.
TEST(MoteusSocketcan, WithoutItsInterfaceItsDrivesAreFaulty) {
  float q[2], v[2];
  const float tau[2] = {1, 1};
  std::uint32_t age = 0;
  port::start(2);
  port::enable(true);
  CHECK_TRUE(Status::kDriveFault == port::read(q, v, age));
  LONGS_EQUAL(~std::uint32_t{0}, age);
  DOUBLES_EQUAL(0.5, static_cast<double>(q[1]), 0);
  port::write(tau);
  CHECK_TRUE(Status::kDriveFault == port::read(q, v, age));
  port::set_rest(port::Rest::kBrake);
  port::make_safe();
  port::write(tau);  // off: nothing is sent, and nothing gets lost
  CHECK_TRUE(Status::kOk == port::read(q, v, age));
}
