#include "lockstep/rows/anticipate.hpp"

#include <CppUTest/TestHarness.h>

#include <array>

using namespace lockstep;
using namespace lockstep::rows;

namespace {

// Three rows over two bodies whose inverse masses are known: row i measures along J and pushes
// along K, its own J unless it works.
struct Machine {
  std::array<std::array<double, 2>, 3> J = {{{1, 0}, {-1, 2}, {0.5, 3}}};
  std::array<std::array<double, 2>, 3> K = J;
  std::array<double, 2> inverse_mass = {0.5, 0.25};
  std::array<bool, 3> swept = {};
  int products = 0, overflows_at = -1;

  bool sweep(int i) {
    swept[at(i)] = true;
    return i != overflows_at;
  }
  bool works(int i) const { return J[at(i)] != K[at(i)]; }
  double product(int i, int j) {
    ++products;
    return by_hand(i, j);
  }
  double by_hand(int i, int j) const {
    return J[at(i)][0] * inverse_mass[0] * K[at(j)][0] +
           J[at(i)][1] * inverse_mass[1] * K[at(j)][1];
  }
};

}  // namespace

TEST_GROUP(Anticipate) {
  Machine machine;
  Matrix<double, 4> A = {};
};

TEST(Anticipate, PairsOfWorklessRowsAreMultipliedOnce) {
  CHECK((anticipate<double, 4>(machine, 3, A) == Status::kOk));
  LONGS_EQUAL(6, machine.products);
  for (int i = 0; i < 3; ++i) {
    CHECK(machine.swept[at(i)]);
    for (int j = 0; j < 3; ++j) DOUBLES_EQUAL(machine.by_hand(i, j), A[at(i)][at(j)], 0);
  }
}

TEST(Anticipate, WorkingRowAnswersOtherwiseThanItPushes) {
  machine.K[1] = {3, -1};
  CHECK((anticipate<double, 4>(machine, 3, A) == Status::kOk));
  LONGS_EQUAL(8, machine.products);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) DOUBLES_EQUAL(machine.by_hand(i, j), A[at(i)][at(j)], 0);
  }
  CHECK(A[0][1] != A[1][0]);
}

TEST(Anticipate, OverflowOfOneRowIsToldAfterAllOfThem) {
  machine.overflows_at = 0;
  CHECK((anticipate<double, 4>(machine, 3, A) == Status::kOverflow));
  CHECK(machine.swept[2]);
  LONGS_EQUAL(0, machine.products);
}
