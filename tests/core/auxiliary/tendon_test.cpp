#include "lockstep/auxiliary/tendon.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <vector>

#include "core/auxiliary/test_solvers.hpp"
#include "oracle/world.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kGravity = 9.81;

template <class T>
struct Machine {
  using Model = test::TestModel<T>;
  using Stepper = test::TestBounded<T>;

  explicit Machine(std::span<const Body> bodies)
      : model(make(bodies)), stepper(model, {}, {}), state(stepper.make_input()) {}
  static Model make(std::span<const Body> bodies) {
    Model model;
    CHECK(model.assign(bodies) == Status::kOk);
    return model;
  }
  void step(const Tendon<T>& tendon) {
    CHECK(stepper.step(state, settings, {.tendons = {&tendon, 1}}) == Status::kOk);
    CHECK(stepper.result().stop == rows::Stop::kConverged);
  }
  T tension() const { return stepper.result().force(RowOf::kTendon, 0); }

  Model model;
  Stepper stepper;
  typename Stepper::Input state;
  BoundedSettings<T> settings = {.dt = T(1e-3)};
};

// Three weights that slide up and down 1 m apart. The line goes from the first over two wheels to
// the second, which hangs in a bight, and on over two wheels to the third.
constexpr std::array<double, 3> kWeights = {1, 3, 2}, kParts = {1, 2, 1};
std::array<Body, 3> weights() {
  std::array<Body, 3> bodies;
  for (std::size_t i = 0; i < 3; ++i) {
    bodies[i] = {.joint = JointType::kPrismatic,
                 .p_PJ = {static_cast<double>(i), 0, 0},
                 .mass = kWeights[i]};
  }
  return bodies;
}
template <class T>
constexpr std::array<TendonPoint<T>, 7> kLine = {{{0, {}},
                                                  {kWorld, {0, 0, 2}},
                                                  {kWorld, {1, 0, 2}},
                                                  {1, {}},
                                                  {kWorld, {1, 0, 2}},
                                                  {kWorld, {2, 0, 2}},
                                                  {2, {}}}};
constexpr double kTaut = 2 * 4 + 2;  // with all weights at height zero

// z0 + 2 z1 + z2 is constant: the tension is the same in all parts.
template <class T>
void check_weights(bool exact, double bound) {
  Machine<T> machine(weights());
  const Tendon<T> tendon = {.points = kLine<T>, .length = T(kTaut), .exact = exact};
  double parts = 0, inverse = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    parts += kParts[i];
    inverse += kParts[i] * kParts[i] / kWeights[i];
  }
  const double tension = kGravity * parts / inverse;
  for (int step = 1; step <= 300; ++step) {
    machine.step(tendon);
    DOUBLES_EQUAL(tension, static_cast<double>(machine.tension()), 100 * bound);
  }
  double length = kTaut;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double speed = 0.3 * (kParts[i] * tension / kWeights[i] - kGravity);
    DOUBLES_EQUAL(speed, static_cast<double>(machine.state.v[k]), bound);
    length -= kParts[i] * static_cast<double>(machine.state.q[k]);
  }
  DOUBLES_EQUAL(kTaut, length, bound);
}

Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

double length_of(std::span<const Body> bodies, std::span<const TendonPoint<double>> points,
                 const Eigen::VectorXd& q) {
  const auto placed = host::place_in_world(bodies, q, Eigen::VectorXd::Zero(q.size()));
  const auto place = [&](const TendonPoint<double>& point) {
    if (point.body == kWorld) return eigen(point.p);
    const host::WorldBody& body = placed[static_cast<std::size_t>(point.body)];
    return Eigen::Vector3d(body.origin + body.R_WB * eigen(point.p));
  };
  double sum = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    sum += (place(points[i + 1]) - place(points[i])).norm();
  }
  return sum;
}

}  // namespace

TEST_GROUP(Tendon){};

TEST(Tendon, OverThreeBodiesPullsAllOfThemAlike) {
  for (const bool exact : {false, true}) {
    check_weights<double>(exact, 1e-10);
    check_weights<float>(exact, 2e-3);
  }
}

// Against positions alone: with no pull of errors an exact tendon's length has no second rate.
TEST(Tendon, LengthOfAMovingChainStays) {
  test::Random random(11);
  for (int run = 0; run < 20; ++run) {
    std::vector<Body> bodies(4);
    for (int i = 0; i < 4; ++i) {
      Body& body = bodies[static_cast<std::size_t>(i)];
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> R = random.rotation().toRotationMatrix();
      std::copy(R.data(), R.data() + 9, body.R_PJ.begin());
      body.parent = i - 1;
      body.joint = i == 2 ? JointType::kPrismatic : JointType::kRevolute;
      body.p_PJ = {0.3, 0.1, -0.2};
      body.mass = 1;
      body.h = {0.1, 0, 0};
      body.inertia = {0.1, 0, 0, 0.2, 0, 0.2};
    }
    std::vector<TendonPoint<double>> points;
    for (const int body : {3, 1, kWorld, 2, 0}) {
      const Eigen::Vector3d p = random.vector(0.5);
      points.push_back({body, {p.x(), p.y(), p.z()}});
    }
    Machine<double> machine(bodies);
    for (int i = 0; i < 4; ++i) {
      machine.state.q[i] = random.uniform(-1, 1), machine.state.v[i] = random.uniform(-2, 2);
    }
    machine.settings.gains = {1e-9, 0};
    const Eigen::VectorXd q = machine.state.q, v = machine.state.v;
    machine.step({.points = points, .length = length_of(bodies, points, q), .exact = true});
    const Eigen::VectorXd vdot = machine.stepper.output().vdot;
    const auto at = [&](double t) {
      return length_of(bodies, points, q + t * v + 0.5 * t * t * vdot);
    };
    const double h = 1e-4;
    DOUBLES_EQUAL(0, (at(h) - 2 * at(0) + at(-h)) / (h * h), 1e-4);
    CHECK(std::abs(machine.tension()) > 1e-3);
  }
}

// A ball in free fall is caught by its line, hangs on it, and is let go where it may rise.
TEST(Tendon, SlackUntilItIsTaut) {
  const Body ball = {
      .joint = JointType::kFloating, .mass = 2, .inertia = {0.01, 0, 0, 0.01, 0, 0.01}};
  Machine<double> machine({&ball, 1});
  const std::array<TendonPoint<double>, 2> points = {{{kWorld, {0, 0, 1}}, {0, {}}}};
  const Tendon<double> tendon = {.points = points, .length = 1.3};
  machine.step(tendon);
  LONGS_EQUAL(0, machine.stepper.result().row_count);
  CHECK_EQUAL(0.0, machine.tension());
  double lowest = 0;
  for (int i = 0; i < 1000; ++i) {
    machine.step(tendon);
    lowest = std::min(lowest, machine.state.q[2]);
  }
  CHECK_AT_MOST(machine.settings.contact.slop, -0.3 - lowest, "stretched");
  DOUBLES_EQUAL(2 * kGravity, machine.tension(), 1e-9);
  machine.state.v[2] = 1;
  machine.step(tendon);
  CHECK_EQUAL(0.0, machine.tension());
}

TEST(Tendon, WinchLiftsWithItsRate) {
  Machine<double> machine(weights());
  const std::array<TendonPoint<double>, 2> points = {{{kWorld, {0, 0, 2}}, {0, {}}}};
  for (const bool exact : {false, true}) {
    double length = 2;
    machine.state = machine.stepper.make_input();
    for (int i = 0; i < 200; ++i) {
      machine.step({.points = points, .length = length, .exact = exact, .rate = -0.5});
      length -= 0.5e-3;
    }
    DOUBLES_EQUAL(0.5, machine.state.v[0], 1e-9);
    DOUBLES_EQUAL(kWeights[0] * kGravity, machine.tension(), 1e-8);
  }
}

TEST(Tendon, BadOnesAreRefused) {
  Machine<double> machine(weights());
  std::vector<TendonPoint<double>> points(9);
  const auto verdict = [&](const Tendon<double>& tendon) {
    return machine.stepper.step(machine.state, machine.settings, {.tendons = {&tendon, 1}});
  };
  CHECK(verdict({.points = points, .length = 1}) == Status::kTooManyRows);
  points.resize(1);
  CHECK(verdict({.points = points, .length = 1}) == Status::kBadConstraint);
  points.resize(2);
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    CHECK(verdict({.points = points, .length = bad}) == Status::kBadConstraint);
    CHECK(verdict({.points = points, .length = 1, .stiffness = bad}) == Status::kBadConstraint);
    CHECK(verdict({.points = points, .length = 1, .damping = bad}) == Status::kBadConstraint);
  }
  CHECK(verdict({.points = points, .length = 1, .rate = HUGE_VAL}) == Status::kBadConstraint);
  points[1].body = 3;
  CHECK(verdict({.points = points, .length = 1}) == Status::kBadFrame);
  points[1] = {0, {std::nan(""), 0, 0}};
  CHECK(verdict({.points = points, .length = 1}) == Status::kBadConstraint);
  points[1] = {0, {0, 0, 0}};  // no way between them, and so no pull
  CHECK(verdict({.points = points, .length = 0}) == Status::kOk);
  CHECK_EQUAL(0.0, machine.tension());
}
