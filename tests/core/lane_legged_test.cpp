// Steps in lanes of a legged robot: every lane gets the bits and the status of its state alone.
#include <CppUTest/TestHarness.h>

#include "core/lane_forms.hpp"
#include "quadruped.hpp"

namespace lockstep::test {

TEST_GROUP(LaneLegged){};

TEST(LaneLegged, StepsHaveTheBitsOfEachState) { check_steps<quadruped, double, 4>(); }

}  // namespace lockstep::test
