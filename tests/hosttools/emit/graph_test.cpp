#include "emit/graph.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;

TEST_GROUP(Graph) {
  Graph graph;
  int x = graph.input("x"), y = graph.input("y");
  int zero = graph.constant(0), one = graph.constant(1);
};

TEST(Graph, ZerosAndOnesCostNothing) {
  LONGS_EQUAL(x, graph.add(x, zero));
  LONGS_EQUAL(x, graph.add(zero, x));
  LONGS_EQUAL(x, graph.subtract(x, zero));
  LONGS_EQUAL(graph.negate(x), graph.subtract(zero, x));
  LONGS_EQUAL(zero, graph.multiply(x, zero));
  LONGS_EQUAL(x, graph.multiply(one, x));
  LONGS_EQUAL(graph.negate(x), graph.multiply(x, graph.constant(-1)));
  LONGS_EQUAL(zero, graph.divide(zero, x));
  LONGS_EQUAL(x, graph.divide(x, one));
  LONGS_EQUAL(zero, graph.constant(-0.0));
}

TEST(Graph, SignsMoveOutwardsUntilASumTakesThem) {
  LONGS_EQUAL(x, graph.negate(graph.negate(x)));
  LONGS_EQUAL(graph.subtract(y, x), graph.add(graph.negate(x), y));
  LONGS_EQUAL(graph.add(x, y), graph.subtract(x, graph.negate(y)));
  LONGS_EQUAL(graph.subtract(y, x), graph.negate(graph.subtract(x, y)));
  LONGS_EQUAL(graph.negate(graph.multiply(x, y)), graph.multiply(graph.negate(x), y));
  LONGS_EQUAL(graph.negate(graph.multiply(graph.constant(2), x)),
              graph.multiply(x, graph.constant(-2)));
}

TEST(Graph, TheSameOperationIsRecordedOnceWhateverTheOrderOfItsOperands) {
  LONGS_EQUAL(graph.add(x, y), graph.add(y, x));
  LONGS_EQUAL(graph.multiply(x, y), graph.multiply(y, x));
  CHECK_TRUE(graph.subtract(x, y) != graph.subtract(y, x));
  LONGS_EQUAL(graph.sine(x), graph.sine(x));
}

TEST(Graph, SumsAreNeverReorderedAndConstantsNeverCombined) {
  // (x + y) + 1 is not x + (y + 1), and 0.1 * 3 has other bits in float than in double
  CHECK_TRUE(graph.add(graph.add(x, y), one) != graph.add(x, graph.add(y, one)));
  const int product = graph.multiply(graph.constant(0.1), graph.constant(3));
  CHECK_TRUE(graph.expressions()[static_cast<std::size_t>(product)].operation ==
             Operation::kMultiply);
}

TEST(Graph, OnlyWhatAResultNeedsIsNeeded) {
  const int used = graph.multiply(x, y), unused = graph.add(used, one);
  const auto needed = graph.needed_by({used});
  CHECK_TRUE(needed[static_cast<std::size_t>(x)] && needed[static_cast<std::size_t>(used)]);
  CHECK_TRUE(!needed[static_cast<std::size_t>(unused)] && !needed[static_cast<std::size_t>(one)]);
}

TEST(Graph, JoinedLanesComeApartAgain) {
  const int both = graph.join({x, y});
  CHECK_TRUE(graph.is_wide(both) && !graph.is_wide(x));
  LONGS_EQUAL(y, graph.lane(both, 1));
  const int sum = graph.add(both, x);  // x counts for both lanes
  CHECK_TRUE(graph.is_wide(sum));
  const int first = graph.lane(sum, 0);
  CHECK_FALSE(graph.is_wide(first));
  CHECK_TRUE(graph.expressions()[static_cast<std::size_t>(first)].operation == Operation::kLane);
}

TEST(Graph, EqualLanesStayNarrowAndFold) {
  LONGS_EQUAL(x, graph.join({x, x, x, x}));
  LONGS_EQUAL(x, graph.lane(x, 3));
  const int both = graph.join({x, y});
  LONGS_EQUAL(both, graph.add(both, graph.join({zero, zero})));
  CHECK_FALSE(both == graph.add(both, graph.join({zero, one})));
}

TEST(Graph, WhatALaneNeedsIsTheWholeOfIt) {
  const int lane = graph.lane(graph.multiply(graph.join({x, y}), x), 0);
  const std::vector<bool> needed = graph.needed_by({lane});
  CHECK_TRUE(needed[static_cast<std::size_t>(x)] && needed[static_cast<std::size_t>(y)]);
}
