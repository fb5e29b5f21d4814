// Robots whose bodies loops, couplings and mimics hold together, on the ground: steps of Newton's
// method beside the exact solver's from the same states.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <memory>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "model/load.hpp"
#include "oracle/world.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/placement.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

constexpr double kGravity = 9.81;

host::Tree load(const std::string& file, host::ReduceOptions::Base base) {
  host::LoadOptions options;
  options.file = LOCKSTEP_MODELS_DIR "/" + file;
  options.quiet = true;
  options.reduce.base = base;
  return host::load_tree(options);
}

// A ball at each body's centre of mass.
void add_balls(double radius, host::Tree& tree) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const auto& h = body.h;
    const double m = body.mass > 0 ? body.mass : 1;
    tree.colliders.push_back({.body = static_cast<int>(i),
                              .type = contact::ShapeType::kSphere,
                              .radius = radius,
                              .p_BS = {h[0] / m, h[1] / m, h[2] / m},
                              .friction = 0.6,
                              .restitution = 1e-6});
  }
}

class Robot {
 public:
  Robot(const host::Tree& tree, const host::Bounds& bounds)
      : tree_(tree),
        model_(host::to_table<double>(tree_)),
        tables_(tree_, bounds),
        newton(make(bounds)),
        exact(make(bounds)),
        state(newton->make_input()) {
    for (const Body& body : tree.bodies) weight += kGravity * body.mass;
  }

  // By Newton's method; how far its velocities are from those of the exact solver's step.
  double step() {
    auto other = state;
    CHECK(has_moved(exact->step(other, {.dt = 1e-3, .solver = RowSolver::kPivoting}, demands)));
    const Status status = newton->step(state, {.dt = 1e-3, .newton = options}, demands);
    CHECK(has_moved(status));
    const auto& result = newton->result();
    LONGS_EQUAL(0, result.pivots);
    CHECK(result.sweeps > 0);
    short_stops += status == Status::kStoppedShort;
    worst = std::max(worst, result.errors.position);
    exact_worst = std::max(exact_worst, exact->result().errors.position);
    return (state.v - other.v).cwiseAbs().maxCoeff();
  }

  double pressing() const {
    double sum = 0;
    for (const auto& own : newton->result().contacts()) {
      sum += own.normal * own.contact.normal.z + own.friction.z;
    }
    return sum;
  }

 private:
  using Stepper = host::HostBoundedStepper<double>;
  std::unique_ptr<Stepper> make(const host::Bounds& bounds) const {
    return std::make_unique<Stepper>(*model_, host::TreeRows<double>(tree_), tables_.joints,
                                     tables_.scene(bounds));
  }
  const host::Tree tree_;
  const std::unique_ptr<TableModel<double, host::kHostBodies>> model_;
  const host::BoundedTables<double> tables_;

 public:
  const std::unique_ptr<Stepper> newton, exact;
  Stepper::Input state;
  Stepper::Demands demands;
  NewtonOptions<double> options = {};
  double weight = 0, worst = 0, exact_worst = 0;
  int short_stops = 0;
};

host::Bounds on_ground() {
  host::Bounds bounds;
  bounds.position = bounds.friction = bounds.ground = true;
  bounds.ground_restitution = 1e-6;  // what arrives stops where it is, as in the exact solver
  return bounds;
}

// How steps by Newton's method compare with those of the exact solver.
struct Compared {
  int apart = 0;    // steps, by more than a bound: where friction has several answers
  double last = 0;  // in the last 50
};
Compared compare(Robot& robot, int steps, double bound) {
  Compared seen;
  for (int i = 0; i < steps; ++i) {
    const double off = robot.step();
    seen.apart += off > bound;
    if (i >= steps - 50) seen.last = std::max(seen.last, off);
  }
  LONGS_EQUAL(0, robot.short_stops);
  CHECK_AT_MOST(1e-9 + 1.1 * robot.exact_worst, robot.worst, "loops");
  return seen;
}

// Falls on the ground and comes to rest there.
void check_fall(const std::string& file, const NewtonOptions<double>& options, int elsewhere) {
  host::Tree tree = load(file, host::ReduceOptions::Base::kFloating);
  for (Body& body : tree.bodies) {
    if (dof_count(body.joint) == 1) body.damping = 0.2, body.friction = 0.01;
  }
  add_balls(0.02, tree);
  const host::Bounds bounds = on_ground();
  Robot robot(tree, bounds);
  robot.options = options;
  Eigen::VectorXd start = robot.state.q;
  host::place_on_ground(file, 0.02, bounds, tree, start);
  robot.state.q = start;
  const auto [apart, last] = compare(robot, 1500, 1e-3);
  CHECK_AT_MOST(elsewhere, apart, file.c_str());
  CHECK_AT_MOST(1e-4, last, file.c_str());
  // some roll on
  if (robot.state.v.norm() < 1e-6) {
    DOUBLES_EQUAL(robot.weight, robot.pressing(), 1e-3 * robot.weight);
  }
}

// A free ball that may touch every shape there is. Returns where its coordinates are.
Eigen::Index add_free_ball(double mass, double radius, host::Tree& tree) {
  const Eigen::Index q = host::rest(tree.bodies).q.size();
  const double I = 0.4 * mass * radius * radius;
  const int body = static_cast<int>(tree.bodies.size());
  tree.bodies.push_back(
      {.joint = JointType::kFloating, .mass = mass, .inertia = {I, 0, 0, I, 0, I}});
  tree.link_names.push_back("ball");
  const int own = static_cast<int>(tree.colliders.size());
  for (int i = 0; i < own; ++i) tree.collider_pairs.push_back({i, own});
  tree.colliders.push_back({.body = body, .radius = radius, .friction = 0.9});
  return q;
}

// Where the ball of a body is in the world.
Eigen::Vector3d centre(const host::Tree& tree, std::size_t body, const Eigen::VectorXd& q) {
  const auto world = host::place_in_world(tree.bodies, q, host::rest(tree.bodies).v);
  const Eigen::Map<const Eigen::Vector3d> p(tree.colliders[body].p_BS.data());
  return world[body].origin + world[body].R_WB * p;
}

constexpr NewtonOptions<double> kStrict = {.iterations = 100, .rounds = 40, .tolerance = 1e-9};
const std::string kLoops = "loops/";

}  // namespace

TEST_GROUP(Coupled){};

// As strictly as it may be asked, Newton's method has the exact solver's steps.
TEST(Coupled, RobotsWithLoopsFall) {
  for (const char* robot : {"four_bar", "six_bar", "slider_crank", "chain_both_ends",
                            "geared_chain", "stewart_platform", "two_arms_one_object"}) {
    check_fall(kLoops + robot + ".urdf", kStrict, 3);
  }
}
TEST(Coupled, RobotsThatFollowFall) {
  check_fall("gripper.urdf", kStrict, 2);
  check_fall("geared_quadruped.urdf", kStrict, 2);
}
// And as it is by default.
TEST(Coupled, RobotsComeToRestByDefault) {
  for (const char* robot : {"six_bar", "chain_both_ends", "two_arms_one_object"}) {
    check_fall(kLoops + robot + ".urdf", {}, 40);
  }
}

// A finger and its follower grip a ball.
TEST(Coupled, AGripperHoldsABall) {
  host::Tree tree = load("gripper.urdf", host::ReduceOptions::Base::kFixed);
  add_balls(0.01, tree);
  constexpr std::size_t kLeft = 2, kRight = 3;  // fingers: bodies and coordinates
  LONGS_EQUAL(kLeft, tree.bodies[kRight].tie.leader);
  Eigen::VectorXd start = host::rest(tree.bodies).q;
  start[kLeft] = 0.01, start[kRight] = -0.014;
  const Eigen::Vector3d a = centre(tree, kLeft, start), b = centre(tree, kRight, start);
  const Eigen::Index q = add_free_ball(0.05, (a - b).norm() / 2 - 0.01 - 1e-4, tree);
  const host::Bounds bounds = on_ground();
  Robot robot(tree, bounds);
  robot.options = kStrict;
  robot.state.q.head(q) = start;
  robot.state.q.segment(q, 3) = (a + b) / 2;
  const std::array<Drive<double>, 2> wrist = {{{.body = 0}, {.body = 1}}};
  robot.demands.drives = wrist;
  robot.state.tau[kLeft] = -20;
  const int apart = compare(robot, 200, 1e-3).apart;
  LONGS_EQUAL(0, apart);
  const auto contacts = robot.newton->result().contacts();
  LONGS_EQUAL(2, contacts.size());
  for (const auto& own : contacts) CHECK(own.normal > 5);
  CHECK_AT_MOST(1e-6, robot.state.v.tail(6).norm(), "ball");
}

// A ball comes down on a four-bar and rolls.
TEST(Coupled, ABallFallsOnALinkage) {
  host::Tree tree = load("loops/four_bar.urdf", host::ReduceOptions::Base::kFixed);
  add_balls(0.04, tree);
  const Eigen::Index q = add_free_ball(2, 0.06, tree);
  host::Bounds bounds;
  bounds.position = bounds.friction = true;
  Robot robot(tree, bounds);
  robot.options = kStrict;
  robot.state.q.segment(q, 3) =
      centre(tree, 1, host::rest(tree.bodies).q) + Eigen::Vector3d(0.01, 0.001, 0.101);
  int touched = 0, apart = 0;
  for (int i = 0; i < 300; ++i) {
    apart += robot.step() > 1e-3;
    touched +=
        robot.newton->result().contact_count > 0 && robot.newton->result().contacts()[0].normal > 0;
  }
  CHECK(touched > 20);
  LONGS_EQUAL(0, apart);
  CHECK_AT_MOST(1e-9 + 1.1 * robot.exact_worst, robot.worst, "loop");
}

}  // namespace lockstep::test
