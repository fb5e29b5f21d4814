// Bodies that touch each other, by Newton's method: stacks, boards that lean, a grip.
#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "core/auxiliary/test_solvers.hpp"
#include "support/allocation_guard.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kGravity = 9.81;
constexpr Placement<double> kOrigin = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};

Body box(double mass, const Vec3<double>& half) {
  const auto I = [&](double a, double b) { return mass / 3 * (a * a + b * b); };
  return {.joint = JointType::kFloating,
          .mass = mass,
          .inertia = {I(half.y, half.z), 0, 0, I(half.x, half.z), 0, I(half.x, half.y)}};
}

// Bodies of which each has one box, any two of which may touch.
template <class T>
struct Boxes {
  static constexpr int kMost = 10;
  using Model = TableModel<T, kMost>;
  static constexpr Room kRoom = {.rows = 150, .contacts = 44, .blocks = kMost * (kMost - 1) / 2};
  using Stepper = BoundedStepper<Model, T, kRoom, NoRows>;

  void add(const Body& body, const Vec3<double>& half) {
    const int number = static_cast<int>(bodies.size());
    bodies.push_back(body);
    const T o(0), one(1);
    colliders.push_back({.body = number,
                         .X_BS = {{{one, o, o}, {o, one, o}, {o, o, one}}, {}},
                         .shape = contact::box(Vec3<T>{T(half.x), T(half.y), T(half.z)}),
                         .material = {.friction = T(friction)}});
    for (int other = 0; other < number; ++other) pairs.push_back({other, number});
  }
  void begin() {
    CHECK(model.assign(bodies) == Status::kOk);
    stepper =
        std::make_unique<Stepper>(model, NoRows{}, std::span<const JointLimits<T>>{},
                                  Scene<T>{.colliders = colliders,
                                           .pairs = pairs,
                                           .ground = {.material = {.friction = T(friction)}}});
    state = stepper->make_input();
  }
  void step(int count, const typename Stepper::Demands& demands = {}) {
    for (int i = 0; i < count; ++i) {
      CHECK(stepper->step(state, settings, demands) == Status::kOk);
      most_solves = std::max(most_solves, stepper->result().sweeps);
      pivots += stepper->result().pivots;
    }
  }
  // The forces that A feels of B, kWorld for the ground: along normals, and across.
  double pressing(int a, int b) const {
    double sum = 0;
    for (const auto& own : stepper->result().contacts()) {
      const bool both =
          (own.contact.a == a && own.contact.b == b) || (own.contact.a == b && own.contact.b == a);
      if (both) sum += static_cast<double>(own.normal);
    }
    return sum;
  }

  double friction = 0.8;
  std::vector<Body> bodies;
  std::vector<contact::Collider<T>> colliders;
  std::vector<contact::ColliderPair> pairs;
  Model model;
  std::unique_ptr<Stepper> stepper;
  typename Stepper::Input state;
  BoundedSettings<T> settings = {.dt = T(1e-3)};
  int most_solves = 0, pivots = 0;
};

// Cubes of 0.1 m on each other, none quite above the one below; the last has a mass of its own.
template <class T>
Boxes<T> stack(int count, double last) {
  constexpr double kHalf = 0.05;
  Boxes<T> boxes;
  for (int i = 0; i < count; ++i) {
    boxes.add(box(i == count - 1 ? last : 1, {kHalf, kHalf, kHalf}), {kHalf, kHalf, kHalf});
  }
  boxes.begin();
  for (int i = 0; i < count; ++i) {
    boxes.state.q[7 * i] = T(0.003 * (7 * i % 5 - 2));
    boxes.state.q[7 * i + 2] = T(0.05 + 0.1 * i);
  }
  return boxes;
}

// How far a box goes at most; forces to a share of themselves.
template <class T>
double stand(int count, double last, int steps, double share) {
  Boxes<T> boxes = stack<T>(count, last);
  const auto start = boxes.state.q;
  boxes.step(steps);
  double above = 0, farthest = 0;
  for (int i = count - 1; i >= 0; --i) {
    above += kGravity * (i == count - 1 ? last : 1);
    DOUBLES_EQUAL(above, boxes.pressing(i, i - 1), share * above);
    farthest = std::max(
        farthest,
        static_cast<double>((boxes.state.q.segment(7 * i, 3) - start.segment(7 * i, 3)).norm()));
  }
  LONGS_EQUAL(0, boxes.pivots);
  return farthest;
}

}  // namespace

TEST_GROUP(NewtonStack){};

TEST(NewtonStack, BoxesStandForAMinute) {
  CHECK_AT_MOST(1e-4, stand<double>(5, 1, 60000, 1e-4), "m, five boxes");
  CHECK_AT_MOST(2e-4, stand<double>(10, 1, 60000, 1e-4), "m, ten boxes");
}
TEST(NewtonStack, ATonStandsOnKilogramsForAMinute) {
  CHECK_AT_MOST(2e-3, stand<double>(5, 1000, 60000, 0.01), "m");
}
// A line with 2 N of tension takes them off the topmost box, and so off all that is below it.
TEST(NewtonStack, ALineCarriesAShareOfTheStack) {
  Boxes<double> boxes = stack<double>(3, 1);
  const Vec3<double> top = {boxes.state.q[14], 0, 0.25};
  const std::array<TendonPoint<double>, 2> points = {
      {{.body = kWorld, .p = {top.x, 0, top.z + 0.5}}, {.body = 2, .p = {0, 0, 0}}}};
  const Tendon<double> line = {.points = points, .length = 0.48, .stiffness = 100};
  boxes.step(200, {.tendons = {&line, 1}});
  LONGS_EQUAL(0, boxes.pivots);
  for (int i = 2; i >= 0; --i) {
    DOUBLES_EQUAL((3 - i) * kGravity - 2, boxes.pressing(i, i - 1), 0.01);
  }
}

TEST(NewtonStack, BoxesStandInFloat) { CHECK_AT_MOST(1e-3, stand<float>(5, 1, 10000, 0.01), "m"); }

// Two boards lean at the angle a from upright on a smooth pillar between them, which nothing else
// holds. Each presses with H = W d / h, d and h the places of its weight and of the pillar's edge
// from where it stands; the ground's friction has to bear it.
TEST(NewtonStack, BoardsThatLeanStandOnFrictionAndFallWithout) {
  const double angle = std::numbers::pi / 6, length = 1, thick = 0.01, weight = 2 * kGravity;
  const double s = std::sin(angle), c = std::cos(angle);
  for (const double friction : {0.5, 0.2}) {
    Boxes<double> boards;
    boards.friction = friction;
    const Vec3<double> half = {thick / 2, 0.2, length / 2}, pillar = {0.05, 0.3, 0.5};
    for (int i = 0; i < 2; ++i) boards.add(box(2, half), half);
    boards.add(box(10, pillar), pillar);
    boards.colliders.back().material.friction = 0;
    boards.begin();
    const double up = (length * c + thick * s) / 2, out = (length * s + thick * c) / 2;
    for (int i = 0; i < 2; ++i) {
      const double side = i == 0 ? -1 : 1;
      boards.state.q.segment(7 * i, 3) << side * (out + pillar.x), 0, up;
      boards.state.q.segment(7 * i + 3, 4) << 0, -side * std::sin(angle / 2), 0,
          std::cos(angle / 2);
    }
    boards.state.q[16] = pillar.z;
    boards.step(2000);
    if (friction > 0.4) {
      DOUBLES_EQUAL(up, boards.state.q[2], 1e-4);
      const double expected = weight * (length * s - thick * c) / (2 * length * c);
      DOUBLES_EQUAL(expected, boards.pressing(0, 2), 0.01 * expected);
      DOUBLES_EQUAL(expected, boards.pressing(1, 2), 0.01 * expected);
      DOUBLES_EQUAL(weight, boards.pressing(0, kWorld), 0.01 * weight);
    } else {
      CHECK_AT_MOST(0.1, boards.state.q[2], "m, height of a board that fell");
    }
    LONGS_EQUAL(0, boards.pivots);
  }
}

// Two fingers of one tree hold a free box by friction, 2 m F >= W, or let it slide down.
TEST(NewtonStack, FingersHoldABoxByFriction) {
  for (const double effort : {15.0, 8.0}) {
    Boxes<double> hand;
    hand.friction = 0.5;
    const Vec3<double> finger = {0.03, 0.03, 0.01}, half = {0.05, 0.02, 0.02};
    // they slide along z of their joints, which is x of the world, towards each other
    Body left = box(0.3, finger), right = left;
    left.joint = right.joint = JointType::kPrismatic;
    left.R_PJ = {0, 0, 1, 1, 0, 0, 0, 1, 0}, left.p_PJ = {-0.0601, 0, 1};
    right.R_PJ = {0, 0, -1, 1, 0, 0, 0, -1, 0}, right.p_PJ = {0.0601, 0, 1};
    hand.add(left, finger), hand.add(right, finger), hand.add(box(1, half), half);
    hand.begin();
    hand.state.q[4] = 1;
    const std::array<Drive<double>, 2> drives = {{{.body = 0, .velocity = 1, .effort = effort},
                                                  {.body = 1, .velocity = 1, .effort = effort}}};
    hand.step(150, {.drives = drives});
    DOUBLES_EQUAL(effort, hand.pressing(0, 2), 0.01 * effort);
    DOUBLES_EQUAL(effort, hand.pressing(1, 2), 0.01 * effort);
    const double fell = 1 - hand.state.q[4], pull = kGravity - 2 * 0.5 * effort;
    if (pull < 0) {
      CHECK_AT_MOST(2e-5, fell, "m");
    } else {
      DOUBLES_EQUAL(0.5 * pull * 0.0225, fell, 0.02 * 0.5 * pull * 0.0225);
    }
    LONGS_EQUAL(0, hand.pivots);
  }
}

TEST(NewtonStack, WithoutRoomForBlocksStepsGoByPivoting) {
  const Body body = box(1, {0.05, 0.05, 0.05});
  test::TestModel<double> model;
  CHECK(model.assign(std::array{body, body}) == Status::kOk);
  std::array<contact::Collider<double>, 2> colliders;
  for (int i = 0; i < 2; ++i) {
    colliders[at(i)] = {.body = i,
                        .X_BS = kOrigin,
                        .shape = contact::box(Vec3<double>{0.05, 0.05, 0.05}),
                        .material = {.friction = 0.5}};
  }
  const contact::ColliderPair pair = {0, 1};
  test::TestBounded<double> stepper(model, {}, {},
                                    {.colliders = colliders, .pairs = {&pair, 1}, .ground = {}});
  auto state = stepper.make_input();
  state.q[2] = 0.05, state.q[9] = 0.15;
  CHECK(stepper.step(state, {.dt = 1e-3}) == Status::kOk);
  CHECK(stepper.result().pivots > 0);
}

TEST(NewtonStack, AllocatesNothing) {
  Boxes<float> boxes = stack<float>(3, 1);
  LONGS_EQUAL(0, test::allocations_in([&] { boxes.step(10); }));
}
