#include "lockstep/contact/contact_step.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/contact/scene.hpp"
#include "lockstep/hash.hpp"
#include "support/allocation_guard.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::contact;
using test::Scene;

namespace {

constexpr double kGravity = 9.81;

// Ground that falls along x by the angle, and a body that lies on it with its height above.
template <class T>
void lean(Scene<T>& scene, double angle, double height) {
  const T s = static_cast<T>(std::sin(angle)), c = static_cast<T>(std::cos(angle));
  scene.ground.normal = {s, T(0), c};
  scene.poses[0].p = static_cast<T>(height) * scene.ground.normal;
  scene.poses[0].q = {T(0), static_cast<T>(std::sin(angle / 2)), T(0),
                      static_cast<T>(std::cos(angle / 2))};
}

template <class T>
Scene<T> box_on_incline(double angle, T friction) {
  Scene<T> scene;
  const Vec3<T> half = {T(0.3), T(0.2), T(0.1)};
  scene.ground.material.friction = friction;
  scene.add(test::solid_box(T(4), half), box(half), {}, {.friction = friction});
  lean(scene, angle, 0.1);
  return scene;
}

template <class T>
double downhill(const Scene<T>& scene) {
  const Vec3<T>& n = scene.ground.normal;
  const auto& v = scene.velocities[0];
  return static_cast<double>(n.z * v[0] - n.x * v[2]);
}

template <class T>
void check_incline(bool sweeps, double bound) {
  const double friction = 0.5;
  for (const double angle : {0.0, 0.3, 0.45, 0.48, 0.8}) {
    Scene<T> scene = box_on_incline<T>(angle, static_cast<T>(friction));
    scene.sweeps = sweeps;
    scene.run(0.5);
    const double slide = kGravity * (std::sin(angle) - friction * std::cos(angle));
    DOUBLES_EQUAL(std::max(0.0, slide) * 0.5, downhill(scene), bound);
    DOUBLES_EQUAL(4 * kGravity * std::cos(angle), scene.pressing(), 4 * kGravity * bound);
    LONGS_EQUAL(4, scene.contacts.size());
    LONGS_EQUAL(0, scene.unsolved);
  }
}

template <class T>
Scene<T> ball(T height, T restitution) {
  Scene<T> scene;
  scene.ground.material.restitution = restitution;
  scene.add(test::solid_sphere(T(2), T(0.1)), sphere(T(0.1)), {T(0), T(0), T(0.1) + height},
            {.restitution = restitution});
  return scene;
}

// The height above the floor that the ball reaches after its n-th bounce.
template <class T>
double apex(Scene<T>& scene, int bounce) {
  double highest = 0;
  for (int seen = 0, i = 0; i < 200000; ++i) {
    const T before = scene.velocities[0][2];
    scene.step();
    const T after = scene.velocities[0][2];
    if (before < T(0) && after > T(0)) ++seen;
    if (seen > bounce) break;
    if (seen == bounce) highest = std::max(highest, double(scene.poses[0].p.z) - 0.1);
  }
  return highest;
}

// A box thrown with a spin onto rough ground.
template <class T>
Scene<T> thrown_box() {
  Scene<T> scene;
  const Vec3<T> half = {T(0.3), T(0.2), T(0.1)};
  scene.ground.material = {.friction = T(0.6), .restitution = T(0.3)};
  scene.add(test::solid_box(T(4), half), box(half), {T(0), T(0), T(1)}, scene.ground.material);
  scene.velocities[0] = {T(1), T(0.5), T(0), T(3), T(-2), T(1)};
  scene.dt = T(2e-3);
  return scene;
}

template <class T>
std::uint64_t hash_of(const Scene<T>& scene) {
  Hash hash;
  const auto& pose = scene.poses[0];
  for (const T& x : {pose.p.x, pose.p.y, pose.p.z}) hash.add(x);
  hash.add_all(pose.q);
  hash.add_all(scene.velocities[0]);
  return hash.value();
}

}  // namespace

TEST_GROUP(ContactStep){};

// tan(angle) below the coefficient: it stays; above, it slides with g (sin - coefficient cos).
TEST(ContactStep, BoxOnAnInclineSticksOrSlides) {
  check_incline<double>(false, 1e-9);
  check_incline<float>(false, 2e-3);
}
TEST(ContactStep, BoxOnAnInclineSticksOrSlidesBySweeps) { check_incline<double>(true, 1e-3); }

TEST(ContactStep, SphereRollsWithFiveSevenths) {
  const double angle = 0.4, radius = 0.1;
  Scene<double> scene;
  scene.ground.material.friction = 0.8;
  scene.add(test::solid_sphere(2.0, radius), sphere(radius), {}, {.friction = 0.8});
  lean(scene, angle, radius);
  scene.run(1);
  const double speed = 5.0 / 7 * kGravity * std::sin(angle);
  DOUBLES_EQUAL(speed, downhill(scene), 1e-3 * speed);
  DOUBLES_EQUAL(downhill(scene), radius * scene.velocities[0][4], 1e-9);
  LONGS_EQUAL(1, scene.contacts.size());
}

TEST(ContactStep, BallBouncesToTheSquareOfItsRestitution) {
  for (const double e : {0.9, 0.6}) {
    for (const int bounce : {1, 2}) {
      Scene<double> scene = ball(1.0, e);
      scene.dt = 2e-4;
      DOUBLES_EQUAL(std::pow(e, 2 * bounce), apex(scene, bounce), 0.01 * std::pow(e, 2 * bounce));
    }
  }
  Scene<float> scene = ball(1.0f, 0.6f);
  DOUBLES_EQUAL(0.36, apex(scene, 1), 0.01);
}

// What semi-implicit Euler keeps on a fall, v^2/2 + g z - g dt v/2, stays over dozens of bounces.
TEST(ContactStep, PerfectBounceNeitherGainsNorLoses) {
  Scene<double> scene = ball(0.3, 1.0);
  const auto kept = [&] {
    const double v = scene.velocities[0][2], z = scene.poses[0].p.z - 0.1;
    return v * v / 2 + kGravity * (z - scene.dt * v / 2);
  };
  const double start = kept();
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    scene.step();
    worst = std::max(worst, std::abs(kept() - start));
  }
  CHECK_AT_MOST(1e-9, worst, "energy");
}

TEST(ContactStep, BallComesToRestAndStaysThere) {
  Scene<double> scene = ball(0.2, 0.5);
  scene.run(3);
  const Vec3<double> rest = scene.poses[0].p;
  scene.run(1);
  DOUBLES_EQUAL(0.1, rest.z, 1e-9);
  DOUBLES_EQUAL(0, scene.poses[0].p.z - rest.z, 1e-12);
  DOUBLES_EQUAL(2 * kGravity, scene.pressing(), 1e-9);
}

// The box tumbles, and no step gives it more than the semi-implicit rounding of its fall.
TEST(ContactStep, ThrownBoxLosesEnergyAndLiesDown) {
  Scene<double> scene = thrown_box<double>();
  const double start = scene.energy();
  double highest = 0;
  for (int i = 0; i < 2000; ++i) {
    scene.step();
    highest = std::max(highest, scene.energy());
  }
  CHECK_AT_MOST(start, highest, "energy");
  LONGS_EQUAL(4, scene.contacts.size());
  DOUBLES_EQUAL(4 * kGravity, scene.pressing(), 1e-6);
  for (const double v : scene.velocities[0]) DOUBLES_EQUAL(0, v, 1e-6);
}

// Each bears all that is above it.
TEST(ContactStep, ColumnOfSpheresPressesWithItsWeights) {
  Scene<double> scene;
  for (int i = 0; i < 4; ++i) {
    scene.add(test::solid_sphere(1.0, 0.1), sphere(0.1), {0, 0, 0.1 + 0.2 * i}, {});
    if (i > 0) scene.pairs.push_back({i, i - 1});
  }
  scene.run(0.2);
  LONGS_EQUAL(4, scene.contacts.size());
  for (int i = 0; i < 4; ++i) {
    DOUBLES_EQUAL((4 - i) * kGravity, scene.solution.mu[at(3 * i)] / scene.dt, 1e-8);
  }
}

TEST(ContactStep, DeepBodyComesOutSlowlyAndStays) {
  Scene<double> scene = ball(-0.4, 0.0);
  double fastest = 0;
  for (int i = 0; i < 3000; ++i) {
    scene.step();
    fastest = std::max(fastest, scene.velocities[0][2]);
  }
  CHECK_AT_MOST(0.5 + 1e-12, fastest, "speed");
  CHECK_AT_MOST(scene.options.slop, std::abs(scene.poses[0].p.z - 0.1), "depth");
  DOUBLES_EQUAL(2 * kGravity, scene.pressing(), 1e-9);
}

// Whatever compiler made this: the bits after a throw and a hundred contacts.
TEST(ContactStep, BitsAreTheSame) {
  Scene<double> in_double = thrown_box<double>();
  Scene<float> in_float = thrown_box<float>();
  in_double.run(1.5);
  in_float.run(1.5);
  CHECK_EQUAL(15345266824067484308u, hash_of(in_double));
  CHECK_EQUAL(16907849485247457898u, hash_of(in_float));
}

// Ground that yields: dt b + velocity + distance / time is what the spring's force, divided by its
// stiffness over the step, has to make up for.
TEST(ContactStep, SoftGroundYieldsAsASpringWithADamperAndBouncesAsHard) {
  const double dt = 0.01, settling = 0.04, softness = 2e-4, gravity = -9.81;
  const SoftGround<double> ground = {.softness = softness, .settling = settling};
  const auto row = [&](double distance, double speed, double restitution) {
    Contact<double> contact{};
    contact.normal = {0, 0, 1};
    contact.distance = distance;
    contact.material.restitution = restitution;
    rows::System<double, 3> system;
    system.count = 3;
    system.A[0][0] = 0.5;
    system.b[0] = gravity;
    const rows::Values<double, 3> velocity = {speed};
    CHECK(to_impulses<double>({&contact, 1}, 0, velocity, dt, {}, system, ground) == Status::kOk);
    CHECK(system.rows[0].kind == rows::RowKind::kUnilateral);
    DOUBLES_EQUAL(0.5 + system.rows[0].compliance, system.A[0][0], 1e-15);
    return std::pair(system.b[0], system.rows[0].compliance);
  };
  // (depth, speed) from which the spring pushes: behind the surface it settles, above it is met
  for (const auto& [distance, time] : {std::pair(-1e-3, dt + settling), std::pair(1e-3, dt)}) {
    const auto [b, compliance] = row(distance, -0.3, 0);
    DOUBLES_EQUAL(-0.3 + dt * gravity + distance / time, b, 1e-15);
    DOUBLES_EQUAL(softness / (dt * time), compliance, 1e-15);
  }
  // a bounce does not feel it: twice the arrival's speed less what is thrown back
  const auto [bounces, hard] = row(-1e-3, -0.3, 0.5);
  DOUBLES_EQUAL(-0.3 + dt * gravity - 0.5 * 0.3, bounces, 1e-15);
  DOUBLES_EQUAL(0, hard, 0);
  // slower than bounce_speed, or too far to arrive, it does not bounce
  CHECK(row(-1e-3, -0.01, 0.5).second > 0);
  CHECK(row(1.0, -0.3, 0.5).second > 0);
}

TEST(ContactStep, OptionsMustHaveAMeaning) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK(StepOptions<double>{}.check() == Status::kOk);
  CHECK(StepOptions<double>{.correction = 1.1}.check() == Status::kBadConstraint);
  for (const double bad : {-1e-9, kNan, std::numeric_limits<double>::infinity()}) {
    CHECK(StepOptions<double>{.correction = bad}.check() == Status::kBadConstraint);
    CHECK(StepOptions<double>{.slop = bad}.check() == Status::kBadConstraint);
    CHECK(StepOptions<double>{.correction_speed = bad}.check() == Status::kBadConstraint);
    CHECK(StepOptions<double>{.bounce_speed = bad}.check() == Status::kBadConstraint);
  }
}

TEST(ContactStep, BadInputChangesNothing) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Contact<double> contact{};
  contact.normal = {0, 0, 1};
  rows::System<double, 6> system;
  system.count = 3;
  system.b = {1, 2, 3};
  rows::Values<double, 6> velocity{};
  StepOptions<double> options;
  const auto verdict = [&](int first, double dt) {
    const Status status = to_impulses<double>({&contact, 1}, first, velocity, dt, options, system);
    DOUBLES_EQUAL(2, system.b[1], 0);
    CHECK(system.rows[1].kind == rows::RowKind::kEquality);
    return status;
  };
  CHECK(verdict(1, 0.1) == Status::kWrongSize);
  CHECK(verdict(-1, 0.1) == Status::kWrongSize);
  system.count = 7;
  CHECK(verdict(4, 0.1) == Status::kWrongSize);
  system.count = 3;
  CHECK(verdict(0, std::numeric_limits<double>::infinity()) == Status::kBadTimeStep);
  CHECK(verdict(0, 0) == Status::kBadTimeStep);
  CHECK(verdict(0, kNan) == Status::kBadTimeStep);
  options.slop = -1;
  CHECK(verdict(0, 0.1) == Status::kBadConstraint);
  options.slop = 0;
  velocity[1] = kNan;
  CHECK(verdict(0, 0.1) == Status::kNotFinite);
  velocity[1] = 0;
  system.b[2] = kNan;
  CHECK(verdict(0, 0.1) == Status::kNotFinite);
  system.b[2] = 3;
  contact.normal = {0, 0, 0};
  CHECK(verdict(0, 0.1) == Status::kBadConstraint);
  contact.normal = {0, 0, 1};
  contact.distance = kNan;
  CHECK(verdict(0, 0.1) == Status::kBadConstraint);
}

TEST(ContactStep, AllocatesNothing) {
  Contact<float> contact{};
  contact.normal = {0, 0, 1};
  rows::System<float, 6> system;
  system.count = 3;
  const rows::Values<float, 6> velocity{};
  LONGS_EQUAL(
      0, test::allocations_in([&] {
        CHECK(to_impulses<float>({&contact, 1}, 0, velocity, 0.1f, {}, system) == Status::kOk);
      }));
}
