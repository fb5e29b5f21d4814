// Both forms of a model give the same bits, in float and in double, for our own legged robots.
#include <CppUTest/TestHarness.h>

#include "core/static_forms.hpp"
#include "geared_quadruped.hpp"
#include "humanoid.hpp"
#include "quadruped.hpp"

namespace lockstep::test {

TEST_GROUP(StaticLegged){};

// limbs go side by side
static_assert(StraightLimbsModel<quadruped, float> && StraightLimbsModel<humanoid, float>);
static_assert(geared_quadruped::kRotors.size() == 12 && geared_quadruped::kBodies.size() == 13);

TEST(StaticLegged, QuadrupedGivesTheSameBits) {
  check_solver<quadruped>();
  check_direct_solver<quadruped, float>();
}
TEST(StaticLegged, GearedQuadrupedGivesTheSameBits) { check_solver<geared_quadruped>(); }
TEST(StaticLegged, HumanoidGivesTheSameBits) { check_solver<humanoid>(); }

}  // namespace lockstep::test
