#include "methods/part_contacts.hpp"

#include "hosttools/methods/net.hpp"
#include "hosttools/methods/test_parts.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Collider = contact::Collider<double>;

// Balls and particles over a plane; each body has one round collider, and any two may meet.
class Balls {
 public:
  explicit Balls(const TestMechanism& mechanism, const std::vector<double>& radii,
                 const host::methods::PartTable& table, const contact::Plane<double>& ground,
                 const contact::Material<double>& material = {})
      : run(mechanism) {
    for (std::size_t i = 0; i < radii.size(); ++i) {
      colliders_.push_back({static_cast<int>(i), kAtOrigin, contact::sphere(radii[i]), material});
      for (std::size_t j = 0; j < i; ++j) {
        // particles do not meet each other
        if (radii[i] > 0.1 || radii[j] > 0.1) {
          pairs_.push_back({static_cast<int>(j), static_cast<int>(i)});
        }
      }
    }
    CHECK_TRUE(Status::kOk == stepper.assign(table));
    const contact::Scene<double> scene = {colliders_, pairs_, ground};
    CHECK_TRUE(Status::kOk == stepper.assign(scene));
    settings.margin = 0.05;
  }

  template <class F>
  void steps(double seconds, double dt, F&& after_each) {
    settings.dt = dt;
    for (int i = 0; i < std::lround(seconds / dt); ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads, settings));
      CHECK_TRUE(stepper.errors().position <= settings.tolerance);
      after_each();
    }
  }
  void steps(double seconds, double dt) {
    steps(seconds, dt, [] {});
  }

  TestRun<> run;
  TestParts<double> stepper{run.table()};
  host::methods::PartSettings<double> settings;

 private:
  std::vector<Collider> colliders_;
  std::vector<contact::ColliderPair> pairs_;
};

TestMechanism particle(const Vec3<double>& p, const std::array<double, 3>& v = {}) {
  TestMechanism m;
  m.add(Particle{2}, {p}, v);
  return m;
}

RigidBody solid_ball(double mass, double radius) {
  const double I = 0.4 * mass * radius * radius;
  return {mass, {I, 0, 0, I, 0, I}};
}

contact::Plane<double> incline(double angle, double friction) {
  return {{std::sin(angle), 0, std::cos(angle)}, 0, {friction, 0}};
}

}  // namespace

TEST_GROUP(PartContacts){};

TEST(PartContacts, WhatLiesPressesWithItsWeightAndStays) {
  Balls balls(particle({0, 0, 0.1}), {0.1}, {}, {});
  balls.steps(1, 1e-3);
  DOUBLES_EQUAL(0.1, balls.run.state.x[2], 2e-6);
  DOUBLES_EQUAL(2 * 9.81, balls.stepper.contacts().impulse(0)[0] / 1e-3, 1e-3 * 2 * 9.81);
}

TEST(PartContacts, BallRisesToTheSquareOfItsRestitution) {
  Balls balls(particle({0, 0, 1.1}), {0.1}, {}, {{0, 0, 1}, 0, {0, 0.7}}, {0, 0.7});
  double highest = 0;
  bool landed = false;
  balls.steps(0.8, 1e-4, [&] {
    landed = landed || balls.run.state.v[2] > 1;
    if (landed) highest = std::max(highest, balls.run.state.x[2] - 0.1);
  });
  DOUBLES_EQUAL(0.49, highest, 0.005);
}

TEST(PartContacts, FrictionHoldsBelowItsAngle) {
  Balls balls(particle({0, 0, 0}), {0}, {}, incline(0.4, 0.5), {0.5, 0});
  balls.steps(1, 1e-3);
  DOUBLES_EQUAL(0, balls.run.state.x[0], 1e-4);
}

TEST(PartContacts, SlidesAboveItWithWhatFrictionLeaves) {
  const double angle = 0.6, friction = 0.5;
  Balls balls(particle({0, 0, 0}), {0}, {}, incline(angle, friction), {friction, 0});
  balls.steps(1, 1e-3);
  const double speed = std::hypot(balls.run.state.v[0], balls.run.state.v[2]);
  const double exact = 9.81 * (std::sin(angle) - friction * std::cos(angle));
  DOUBLES_EQUAL(exact, speed, 0.01 * exact);
}

TEST(PartContacts, BallRollsWithFiveSeventhsOfTheSlope) {
  TestMechanism m;
  const double angle = 0.3;
  m.add(solid_ball(1, 0.2), {{0.2 * std::sin(angle), 0, 0.2 * std::cos(angle)}, {0, 0, 0, 1}});
  Balls balls(m, {0.2}, {}, incline(angle, 1), {1, 0});
  balls.steps(1, 1e-3);
  const double speed = std::hypot(balls.run.state.v[0], balls.run.state.v[2]);
  DOUBLES_EQUAL(5.0 / 7 * 9.81 * std::sin(angle), speed, 0.02 * speed);
  DOUBLES_EQUAL(speed / 0.2, std::abs(balls.run.state.v[4]), 0.02 * speed / 0.2);
}

TEST(PartContacts, EqualBallsSwapTheirSpeeds) {
  TestMechanism m;
  m.add(solid_ball(1, 0.2), {{0, 0, 5}, {0, 0, 0, 1}}, {1, 0, 0, 0, 0, 0});
  m.add(solid_ball(1, 0.2), {{0.6, 0, 5}, {0, 0, 0, 1}});
  Balls balls(m, {0.2, 0.2}, {}, {}, {0, 1});
  balls.run.loads.gravity.setZero();
  balls.steps(0.5, 1e-3);
  DOUBLES_EQUAL(0, balls.run.state.v[0], 1e-6);
  DOUBLES_EQUAL(1, balls.run.state.v[6], 1e-6);
}

// Two that pass each other so fast that the way between them overflows.
TEST(PartContacts, GapThatIsNotANumberIsNotOpen) {
  TestMechanism m;
  m.add(Particle{1}, {{0, 0, 5}}, {1.5e308, 0, 0});
  m.add(Particle{1}, {{0, 0, 5.4}}, {-1.5e308, 0, 0});
  Balls balls(m, {0.2, 0.2}, {}, {});
  balls.run.loads.gravity.setZero();
  balls.settings.dt = 1;
  const auto before = balls.run.state;
  CHECK_TRUE(Status::kOverflow ==
             balls.stepper.step(balls.run.state, balls.run.loads, balls.settings));
  CHECK_TRUE(before.x == balls.run.state.x);
  CHECK_TRUE(before.v == balls.run.state.v);
}

// The mechanism of docs/mechanisms.md, "Cloth", small.
TEST(PartContacts, NetCatchesABallAndHoldsItUp) {
  Net net = hanging_net(7, 0.005);
  double lowest = 0;
  std::vector<double> radii(net.mechanism.bodies.size(), 0.01);
  for (std::size_t i = 2; i < net.mechanism.x.size(); i += 3) {
    lowest = std::min(lowest, net.mechanism.x[i]);
  }
  const int ball =
      net.mechanism.add(solid_ball(0.3, 0.25), {{0.46, 0.44, lowest + 0.3}, {0, 0, 0, 1}});
  radii.push_back(0.25);
  const contact::Plane<double> deep = {{0, 0, 1}, -10, {}};
  TestRun run(net.mechanism);  // 45 particles, 84 rods, a ball
  auto& state = run.state;
  TestParts<double> stepper(run.table());
  CHECK_TRUE(Status::kOk == stepper.assign(net.table()));
  std::vector<Collider> colliders;
  std::vector<contact::ColliderPair> pairs;
  for (int i = 0; i <= ball; ++i) {
    const double radius = radii[static_cast<std::size_t>(i)];
    colliders.push_back({i, kAtOrigin, contact::sphere(radius), {0.3, 0}});
    if (i < ball) pairs.push_back({i, ball});
  }
  CHECK_TRUE(Status::kOk == stepper.assign(contact::Scene<double>{colliders, pairs, deep}));
  const host::methods::PartSettings<double> settings = {
      .dt = 1e-3, .tolerance = 1e-4, .max_sweeps = 5000, .margin = 0.02};
  const auto energy = [&] {
    double sum = 0;
    run.table().bodies([&](const auto& body, const maximal::BodyPlace& place) {
      sum += body.mass *
             (0.5 * state.v.segment<3>(place.v).squaredNorm() + 9.81 * state.x[place.x + 2]);
    });
    const Eigen::Index w = state.v.size() - 3;
    return sum + 0.5 * 0.4 * 0.3 * 0.25 * 0.25 * state.v.tail(state.v.size() - w).squaredNorm();
  };
  const double before = energy(), height = state.x[state.x.size() - 5];
  for (int i = 0; i < 1500; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(state, run.loads, settings));
    CHECK_TRUE(stepper.errors().position <= settings.tolerance);
    CHECK_TRUE(energy() <= before + 1e-3);
  }
  double pressed = 0;
  for (int i = 0; i < stepper.contacts().size(); ++i) {
    pressed += stepper.contacts().impulse(i)[0];
  }
  CHECK_TRUE(pressed > 0);
  CHECK_TRUE(state.x[state.x.size() - 5] > height - 0.3);  // 11 m of free fall in 1.5 s
  CHECK_TRUE(std::abs(state.v[state.v.size() - 4]) < 1);
}
