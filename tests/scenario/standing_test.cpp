// Robots on the ground, stepped with everything that bounds them: a quadruped that drops and
// stands, and a box that lies on a slope as a robot of one floating body.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/table_model.hpp"
#include "model/load.hpp"
#include "model/tree_colliders.hpp"
#include "oracle/energy.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/placement.hpp"
#include "support/long_test.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

constexpr double kGravity = 9.81;

// models/quadruped.urdf on four feet, its joints held by springs and dampers.
template <class T>
class Quadruped {
 public:
  using Stepper = host::HostBoundedStepper<T>;

  // On its feet, or on whatever of it comes down.
  explicit Quadruped(double height, bool feet_alone = true)
      : tree_(load()), tables_(tree_, on_ground()), model_(host::to_table<T>(tree_)) {
    for (const Body& body : tree_.bodies) mass_ += body.mass;
    for (std::size_t i = 0; i < tree_.frames.size(); ++i) {
      if (!tree_.frame_names[i].ends_with("_foot")) continue;
      contact::Collider<T> foot = {
          .body = tree_.frames[i].body, .X_BS = {}, .shape = contact::sphere(T(0.015))};
      foot.X_BS = LinkFrame<T>(tree_.frames[i]).X_BL;
      foot.X_BS.p = foot.X_BS.p + T(0.015) * foot.X_BS.R.z;  // the file's: above the link's origin
      foot.material.friction = T(0.8);
      feet_.push_back(foot);
    }
    auto scene = tables_.scene(on_ground());
    if (feet_alone) scene.colliders = feet_;
    scene.pairs = {};
    stepper = std::make_unique<Stepper>(*model_, host::TreeRows<T>(tree_), tables_.joints, scene);
    state = stepper->make_input();
    for (int leg = 0; leg < 4; ++leg) state.q.segment(7 + 3 * leg, 3) << 0, T(kHip), T(kKnee);
    state.q[2] = static_cast<T>(height + kStance);
    pose_ = state.q.tail(12);
  }

  void step() {
    state.tau.tail(12) =
        T(kStiffness) * (pose_ - state.q.tail(12)) - T(kDamping) * state.v.tail(12);
    const Status status = stepper->step(state, settings);
    CHECK(has_moved(status));
    impulse += pressing() * double(settings.dt);
    stopped_short += status == Status::kStoppedShort ? 1 : 0;
  }

  // The springs' too.
  double energy() const {
    host::DenseInput now = host::rest(tree_.bodies);
    now.q = state.q.template cast<double>();
    now.v = state.v.template cast<double>();
    const host::Mechanics all = host::mechanics(tree_.bodies, now);
    const auto stretched = (pose_ - state.q.tail(12)).template cast<double>().eval();
    return all.kinetic + all.potential + 0.5 * kStiffness * stretched.squaredNorm();
  }
  double weight() const { return mass_ * kGravity; }
  double pressing() const {
    double sum = 0;
    for (const auto& contact : stepper->result().contacts()) sum += double(contact.normal);
    return sum;
  }

  static constexpr double kStance = 0.2359;  // m, of the trunk above the feet
  double impulse = 0;                        // N s, of the ground so far
  int stopped_short = 0;                     // steps so far
  std::unique_ptr<Stepper> stepper;
  typename Stepper::Input state;
  BoundedSettings<T> settings = {.dt = T(1e-3)};

 private:
  static constexpr double kHip = 0.8, kKnee = -1.829;       // the feet are below the hips
  static constexpr double kStiffness = 80, kDamping = 0.4;  // N m/rad, N m s/rad

  static host::Tree load() {
    host::LoadOptions options;
    options.file = LOCKSTEP_MODELS_DIR "/quadruped.urdf";
    options.quiet = true;
    options.reduce.base = host::ReduceOptions::Base::kFloating;
    return host::load_tree(options);
  }

  static host::Bounds on_ground() {
    host::Bounds bounds;
    bounds.position = bounds.velocity = bounds.friction = bounds.ground = true;
    bounds.ground_friction = 0.8;
    return bounds;
  }

  host::Tree tree_;
  host::BoundedTables<T> tables_;
  std::unique_ptr<TableModel<T, host::kHostBodies>> model_;
  std::vector<contact::Collider<T>> feet_;
  Eigen::Matrix<T, 12, 1> pose_;
  double mass_ = 0;
};

template <class T>
void check_standing(RowSolver solver, double seconds, double bound) {
  Quadruped<T> robot(0.1);
  robot.settings.solver = solver;
  const double start = robot.energy();
  double highest = start, lowest = 1;
  const int steps = static_cast<int>(std::lround(seconds * 1e3));
  for (int i = 0; i < steps; ++i) {
    robot.step();
    if (i % 10 == 0) highest = std::max(highest, robot.energy());
    lowest = std::min(lowest, static_cast<double>(robot.state.q[2]));
  }
  // semi-implicit Euler's own error on the fall is g dt v / 2 of each kilogramme
  CHECK_AT_MOST(start + 1e-3 * robot.weight(), highest, "energy");
  CHECK_AT_MOST(0.2 * robot.kStance, robot.kStance - lowest, "sagging");
  LONGS_EQUAL(4, robot.stepper->result().contact_count);
  LONGS_EQUAL(0, robot.stepper->result().contacts_left_out);
  DOUBLES_EQUAL(robot.weight(), robot.pressing(), bound * robot.weight());
  CHECK_AT_MOST(bound, double(robot.state.v.cwiseAbs().maxCoeff()), "speed");
  CHECK_AT_MOST(bound, double(robot.stepper->result().violation), "rows");
}

template <class T>
using OneBodyStepper = BoundedStepper<TableModel<T, 1>, T, Room{12, 4}, NoRows>;

// A box of 4 kg on a slope, half a second later: how fast it is, downhill, which is so far from
// its x axis. Its base is square: others turn where they slide along neither side.
double slide(double angle, double friction, RowSolver solver, double heading = 0) {
  const Vec3<double> half = {0.2, 0.2, 0.1};
  const Body body = {.joint = JointType::kFloating,
                     .mass = 4,
                     .inertia = {4.0 / 3 * 0.05, 0, 0, 4.0 / 3 * 0.05, 0, 4.0 / 3 * 0.08}};
  TableModel<double, 1> model;
  CHECK(model.assign({&body, 1}) == Status::kOk);
  const contact::Collider<double> box = {.body = 0,
                                         .X_BS = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}},
                                         .shape = contact::box(half),
                                         .material = {.friction = friction}};
  const double c = std::cos(heading), s = std::sin(heading);
  const Vec3<double> up = {std::sin(angle) * c, std::sin(angle) * s, std::cos(angle)};
  OneBodyStepper<double> stepper(model, {}, {},
                                 {.colliders = {&box, 1},
                                  .pairs = {},
                                  .ground = {.normal = up, .material = {.friction = friction}}});
  auto state = stepper.make_input();
  state.q << half.z * up.x, half.z * up.y, half.z * up.z, -s * std::sin(angle / 2),
      c * std::sin(angle / 2), 0, std::cos(angle / 2);
  for (int i = 0; i < 500; ++i) {
    CHECK(has_moved(stepper.step(state, {.dt = 1e-3, .solver = solver})));
  }
  double pressing = 0;
  for (const auto& corner : stepper.result().contacts()) pressing += corner.normal;
  DOUBLES_EQUAL(4 * kGravity * std::cos(angle), pressing, 1e-2);
  DOUBLES_EQUAL(0, c * state.v[1] - s * state.v[0], 1e-2);
  return c * state.v[0] + s * state.v[1];
}

// models/humanoid.urdf on both feet, its joints held for half a second: by body, what presses and
// its moments about the world's x and y. Four corners share a foot's load in more than one way.
using Loads = std::map<int, Eigen::Vector3d>;
Loads humanoid_loads(RowSolver solver) {
  host::LoadOptions options;
  options.file = LOCKSTEP_MODELS_DIR "/humanoid.urdf";
  options.quiet = true;
  options.reduce.base = host::ReduceOptions::Base::kFloating;
  const host::Tree tree = host::load_tree(options);
  host::Bounds bounds;
  bounds.position = bounds.friction = bounds.ground = true;
  Eigen::VectorXd start = host::rest(tree.bodies).q;
  host::place_on_ground(options.file, 0.0, bounds, tree, start);
  const auto model = host::to_table<double>(tree);
  const host::BoundedTables<double> tables(tree, bounds);
  const auto stepper = std::make_unique<host::HostBoundedStepper<double>>(
      *model, host::TreeRows<double>(tree), tables.joints, tables.scene(bounds));
  auto state = stepper->make_input();
  state.q = start;
  const Eigen::Index joints = start.size() - 7;
  for (int i = 0; i < 500; ++i) {
    state.tau.tail(joints) =
        600 * (start.tail(joints) - state.q.tail(joints)) - 1.5 * state.v.tail(joints);
    CHECK(stepper->step(state, {.dt = 1e-3, .solver = solver}) == Status::kOk);
  }
  Loads loads;
  for (const auto& [contact, normal, friction] : stepper->result().contacts()) {
    Eigen::Vector3d& sum = loads.try_emplace(contact.a, 0, 0, 0).first->second;
    sum += normal * Eigen::Vector3d(1, contact.point.y, -contact.point.x);
  }
  LONGS_EQUAL(8, stepper->result().contact_count);
  return loads;
}

}  // namespace

TEST_GROUP(Standing){};

TEST(Standing, BoxOnASlopeSticksOrSlides) {
  for (const double angle : {0.0, 0.3, 0.45, 0.48, 0.8}) {
    const double speed = 0.5 * kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
    DOUBLES_EQUAL(std::max(0.0, speed), slide(angle, 0.5, RowSolver::kPivoting), 1e-8);
    DOUBLES_EQUAL(std::max(0.0, speed), slide(angle, 0.5, RowSolver::kGaussSeidel), 1e-2);
    DOUBLES_EQUAL(std::max(0.0, speed), slide(angle, 0.5, RowSolver::kNewton), 1e-3);
  }
}

// One cone in every direction.
TEST(Standing, BoxSlidesAlikeInEveryDirection) {
  const double speed = 0.5 * kGravity * (std::sin(0.6) - 0.5 * std::cos(0.6));
  for (const double heading : {0.3, 0.785, 1.2, 2.0, 3.5, 5.9}) {
    for (const RowSolver solver : {RowSolver::kPivoting, RowSolver::kNewton}) {
      DOUBLES_EQUAL(speed, slide(0.6, 0.5, solver, heading), 0.01 * speed);
      DOUBLES_EQUAL(0, slide(0.4, 0.5, solver, heading), 1e-6);
    }
  }
}

// The acceleration of a ball of friction 0.5 that starts at rest: 5/7 g sin where it rolls,
// tan < 7/2 0.5; beyond, it slips with g (sin - 0.5 cos). For 0.2 s: what spins fast, as it does
// later, has an error of the explicit step that is not the solver's, spin dt of a turn a step.
template <class T>
double roll(double angle, RowSolver solver, double heading) {
  const Body body = {
      .joint = JointType::kFloating, .mass = 2, .inertia = {0.008, 0, 0, 0.008, 0, 0.008}};
  TableModel<T, 1> model;
  CHECK(model.assign({&body, 1}) == Status::kOk);
  const T o(0), one(1);
  const contact::Collider<T> ball = {.body = 0,
                                     .X_BS = {{{one, o, o}, {o, one, o}, {o, o, one}}, {}},
                                     .shape = contact::sphere(T(0.1)),
                                     .material = {.friction = T(0.5)}};
  OneBodyStepper<T> stepper(
      model, {}, {},
      {.colliders = {&ball, 1}, .pairs = {}, .ground = {.material = {.friction = T(0.5)}}});
  auto state = stepper.make_input();
  state.q[2] = T(0.1);
  const double along = kGravity * std::sin(angle), c = std::cos(heading), s = std::sin(heading);
  state.gravity << T(along * c), T(along * s), T(-kGravity * std::cos(angle));
  Eigen::Vector2d before;
  for (int i = 0; i < 200; ++i) {
    before = state.q.template head<2>().template cast<double>();
    CHECK(stepper.step(state, {.dt = T(1e-3), .solver = solver}) == Status::kOk);
  }
  const Eigen::Vector2d end = state.q.template head<2>().template cast<double>();
  DOUBLES_EQUAL(0.1, double(state.q[2]), 1e-4);
  CHECK_AT_MOST(1e-4, std::abs(s * end[0] - c * end[1]), "m, aside");
  return Eigen::Vector2d(c, s).dot(end - before) / (1e-3 * 0.2);
}
TEST(Standing, BallRollsAlikeInEveryDirection) {
  for (const double angle : {0.1, 0.5, 0.9, 1.2}) {
    const bool rolls = std::tan(angle) < 3.5 * 0.5;
    const double s = std::sin(angle),
                 a = kGravity * (rolls ? 5.0 / 7 * s : s - 0.5 * std::cos(angle));
    for (const double heading : {0.0, 0.4, 0.785, 2.0, 3.5, 5.9}) {
      DOUBLES_EQUAL(a, roll<double>(angle, RowSolver::kPivoting, heading), 0.01 * a);
      DOUBLES_EQUAL(a, roll<double>(angle, RowSolver::kNewton, heading), 0.01 * a);
      DOUBLES_EQUAL(a, roll<float>(angle, RowSolver::kNewton, heading), 0.01 * a);
    }
  }
}

LONG_TEST(Standing, QuadrupedDropsAndStandsForAMinute) {
  check_standing<double>(RowSolver::kGaussSeidel, 60, 1e-3);
}
TEST(Standing, QuadrupedStandsInFloat) { check_standing<float>(RowSolver::kGaussSeidel, 5, 1e-3); }
TEST(Standing, QuadrupedStandsByPivoting) { check_standing<double>(RowSolver::kPivoting, 3, 1e-3); }
TEST(Standing, QuadrupedStandsByNewton) { check_standing<double>(RowSolver::kNewton, 5, 1e-4); }
TEST(Standing, QuadrupedStandsByNewtonInFloat) {
  check_standing<float>(RowSolver::kNewton, 5, 1e-3);
}

// The blow of the landing, and the loads at last. Equilibrium tells those of the front and rear
// feet and those of left and right. How much the feet strain against each other, one diagonal
// against the other included, is nobody's to say: dry friction of twelve joints holds many such
// forces.
TEST(Standing, NewtonHasTheForcesOfTheExactSolver) {
  Quadruped<double> robot(0.1), exact(0.1);
  robot.settings.solver = RowSolver::kNewton;
  exact.settings.solver = RowSolver::kPivoting;
  for (int i = 0; i < 2000; ++i) {
    robot.step(), exact.step();
    if (i % 20 == 0) DOUBLES_EQUAL(exact.impulse, robot.impulse, 0.05 * exact.impulse + 0.02);
  }
  const auto feet = robot.stepper->result().contacts(), same = exact.stepper->result().contacts();
  LONGS_EQUAL(4, same.size());
  LONGS_EQUAL(4, feet.size());
  for (const auto& [i, j] : {std::pair{0, 1}, {2, 3}, {0, 2}, {1, 3}}) {
    const double load = same[at(i)].normal + same[at(j)].normal;
    DOUBLES_EQUAL(load, feet[at(i)].normal + feet[at(j)].normal, 0.002 * load);
  }
  for (int i = 0; i < 4; ++i) {
    DOUBLES_EQUAL(same[at(i)].normal, feet[at(i)].normal, 0.05 * same[at(i)].normal);
  }
  LONGS_EQUAL(1, robot.stepper->result().sweeps);
}

TEST(Standing, NewtonHasTheForcesOfTheExactSolverUnderAHumanoid) {
  const Loads loads = humanoid_loads(RowSolver::kNewton),
              exact = humanoid_loads(RowSolver::kPivoting);
  LONGS_EQUAL(2, exact.size());
  for (const auto& [foot, load] : exact) {
    CHECK_AT_MOST(0.01 * load[0], std::abs(loads.at(foot)[0] - load[0]), "load");
    for (int i = 1; i < 3; ++i) {  // 1 % of the load, at the end of a foot
      CHECK_AT_MOST(0.001 * load[0], std::abs(loads.at(foot)[i] - load[i]), "moment");
    }
  }
}

// From 1 m in any orientation, onto whatever is lowest: nothing gets through the ground or gains
// energy, and no step needs more solves than it may have.
template <class T>
void check_drops(int drops) {
  constexpr int kSteps = 1500;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int stopped_short = 0;
  for (int i = 0; i < drops; ++i) {
    Quadruped<T> robot(1 - Quadruped<T>::kStance, false);
    for (int k = 3; k < 7; ++k) robot.state.q[k] = static_cast<T>(normal(random));
    robot.state.q.segment(3, 4).normalize();
    const double start = robot.energy();
    for (int step = 0; step < kSteps; ++step) {
      robot.step();
      const auto& result = robot.stepper->result();
      CHECK_AT_MOST(robot.settings.newton.iterations, result.sweeps, "solves");
      LONGS_EQUAL(0, result.pivots);
      for (const auto& own : result.contacts()) {
        CHECK_AT_MOST(2e-3, -double(own.contact.distance), "depth");
      }
      if (step % 10 == 0) CHECK_AT_MOST(start + 1e-3 * robot.weight(), robot.energy(), "energy");
    }
    stopped_short += robot.stopped_short;
  }
  LONGS_EQUAL(0, stopped_short);
}
TEST(Standing, NewtonDropsInAnyOrientation) { check_drops<double>(2); }
LONG_TEST(Standing, NewtonDropsAHundredTimes) { check_drops<double>(100); }
LONG_TEST(Standing, NewtonDropsAHundredTimesInFloat) { check_drops<float>(100); }

}  // namespace lockstep::test
