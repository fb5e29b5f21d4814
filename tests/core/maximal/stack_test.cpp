// Boxes on each other, for a minute.
#include <CppUTest/TestHarness.h>

#include "core/maximal/touching.hpp"
#include "support/long_test.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::contact;

namespace {

constexpr double kGravity = 9.81;

// Each heavier than the one below.
template <class Stack>
void clothe(Stack& t) {
  t.ground.material.friction = 0.5;
  for (int i = 0; i < 5; ++i) {
    t.touch(i, box(Vec3<double>{0.1, 0.1, 0.1}), t.ground.material);
    if (i > 0) t.pairs.push_back({i, i - 1});
  }
  t.assign();
}
TestMechanism boxes(double gap) {
  TestMechanism m;
  for (int i = 0; i < 5; ++i) {
    m.add(box_body(1 + i, {0.1, 0.1, 0.1}), {{0, 0, 0.1 + gap + (0.2 + gap) * i}, {0, 0, 0, 1}});
  }
  return m;
}

// Each interface bears what is above it.
template <class Stack>
void check_forces(const Stack& t, double bound) {
  double above = 0;
  for (int i = 4; i >= 0; --i) {
    above += t.force(i).z;
    DOUBLES_EQUAL((1 + i) * kGravity, t.force(i).z, bound);
  }
  DOUBLES_EQUAL(15 * kGravity, above, bound);
}

struct Swept : Touching<> {
  explicit Swept(const TestMechanism& m) : Touching(m) {
    settings.row_solver.solver = RowSolver::kGaussSeidel;
  }
};

}  // namespace

TEST_GROUP(Stack){};

LONG_TEST(Stack, FiveBoxesStandForAMinute) {
  for (const bool by_impulses : {false, true}) {
    Swept t(boxes(0));
    clothe(t);
    const auto start = t.run.state.x;
    double drift = 0;
    for (int i = 0; i < 60000; ++i) {
      CHECK_TRUE(has_moved(t.try_step(by_impulses)));
      drift = std::max(drift, (t.run.state.x - start).cwiseAbs().maxCoeff());
    }
    CHECK_AT_MOST(1e-4, drift, "drift");
    LONGS_EQUAL(20, t.contacts->list().size());
    LONGS_EQUAL(0, t.contacts->dropped());
    check_forces(t, 1e-3);
  }
}

// Let go a millimetre above each other they fall, settle, and stay.
LONG_TEST(Stack, BoxesSettle) {
  for (const bool by_impulses : {false, true}) {
    Swept t(boxes(1e-3));
    clothe(t);
    t.steps(by_impulses, 1000);
    const auto settled = t.run.state.x;
    for (int i = 0; i < 5; ++i) DOUBLES_EQUAL(0.1 + 0.2 * i, settled[7 * i + 2], 1e-3);
    t.steps(by_impulses, 1000);
    CHECK_AT_MOST(1e-4, (t.run.state.x - settled).cwiseAbs().maxCoeff(), "drift");
    check_forces(t, 1e-3);
  }
}

// The normal forces of every interface.
TEST(Stack, EveryInterfaceBearsTheWeightAbove) {
  Touching<> t(boxes(0));
  clothe(t);
  t.steps(false, 20);
  double between[5] = {};
  for (int i = 0; i < t.contacts->list().size(); ++i) {
    const int below = t.contacts->list()[i].b;
    between[below + 1] += t.contacts->normal_impulse(i) / 1e-3;
  }
  double above = 15;
  for (int i = 0; i < 5; ++i) {
    DOUBLES_EQUAL(above * kGravity, between[i], 0.1);
    above -= 1 + i;
  }
}
