// Both forms of a model give the same bits, in float and in double, for our own arms and a tree of
// ball joints.
#include <CppUTest/TestHarness.h>

#include "ball_tree_31.hpp"
#include "core/static_forms.hpp"
#include "seven_axis_arm.hpp"
#include "six_axis_arm.hpp"

namespace lockstep::test {

template <class Model>
inline constexpr bool kIsStraight =
    StraightLineModel<Model, float>&& StraightLineModel<Model, double>;

TEST_GROUP(StaticTable){};

// the arms go one body after another; the tree in a loop
static_assert(kIsStraight<six_axis_arm> && kIsStraight<seven_axis_arm>);
static_assert(!kIsStraight<ball_tree_31> && LimbedModel<ball_tree_31>);

TEST(StaticTable, SixAxisArmGivesTheSameBits) {
  check_solver<six_axis_arm>();
  check_direct_solver<six_axis_arm, double>();
}
TEST(StaticTable, SevenAxisArmGivesTheSameBits) { check_solver<seven_axis_arm>(); }
TEST(StaticTable, TreeOfBallJointsGivesTheSameBits) { check_solver<ball_tree_31>(); }

}  // namespace lockstep::test
