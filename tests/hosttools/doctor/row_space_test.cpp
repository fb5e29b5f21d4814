#include "doctor/row_space.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::host::RowSpace;

TEST_GROUP(RowSpace){};

TEST(RowSpace, RowsThatAreSumsOfEarlierOnesAreNotNew) {
  const RowSpace space(Eigen::MatrixXd{{1, 2, 3, 0}, {0, 0, 0, 0}, {0, 1, 1, 0}, {2, 5, 7, 0}});
  LONGS_EQUAL(2, space.rank());
  CHECK_TRUE(space.is_new(0) && !space.is_new(1) && space.is_new(2) && !space.is_new(3));
}

TEST(RowSpace, VelocitiesAreDeterminedWhereTheNullSpaceHasNone) {
  // v1 + v2 = 0 and v1 - v2 = 0; v0 goes with v3
  const RowSpace space(Eigen::MatrixXd{{0, 1, 1, 0}, {0, 1, -1, 0}, {1, 0, 0, -2}});
  CHECK_TRUE(!space.determines(0) && space.determines(1) && space.determines(2));
  CHECK_FALSE(space.determines(3));
}

TEST(RowSpace, NoRowsSayNothing) {
  const RowSpace space(Eigen::MatrixXd(0, 3));
  LONGS_EQUAL(0, space.rank());
  CHECK_FALSE(space.determines(2));
}
