// Springs, dampers and rotors of a robot's joints as rows in maximal coordinates, against a dense
// solve in joint coordinates.
#include <CppUTest/TestHarness.h>

#include "lockstep/maximal/catalogue.hpp"
#include "lockstep/maximal/lagrange.hpp"
#include "mechanism/from_tree.hpp"
#include "mechanism/joint_space.hpp"
#include "oracle/dense.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Table = maximal::TableMechanism<double, 12, 24>;

host::Tree passive_tree(test::Shape shape, std::uint64_t seed, double scale) {
  host::Tree tree;
  tree.name = "tree";
  tree.bodies = test::random_tree({.shape = shape, .bodies = 9, .seed = seed});
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    tree.link_names.push_back("link_" + std::to_string(i));
    tree.joint_names.push_back("joint_" + std::to_string(i));
    Body& body = tree.bodies[i];
    if (dof_count(body.joint) != 1 || i % 4 == 3) continue;
    body.armature = 0.3 + 0.1 * static_cast<double>(i);
    body.stiffness = scale * (2 + static_cast<double>(i));
    body.damping = scale * 0.5;
    body.rest = 4.0 - static_cast<double>(i);
  }
  return tree;
}

// The joints' accelerations at a state as the core has them, over a step of h, or at once.
Eigen::VectorXd accelerations(const host::Tree& tree, const host::DenseInput& in, double h) {
  const host::Mechanism m = host::from_tree(tree, in.q, in.v, "tree", host::Passive::kRows);
  const auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(m.bodies, m.constraints));
  LONGS_EQUAL(0, table->counts().auxiliary);
  const auto solver = std::make_unique<maximal::Lagrange<Table>>(*table);
  auto state = solver->make_state();
  auto loads = solver->make_loads();
  auto out = solver->make_solution();
  const Eigen::Map<const Eigen::VectorXd> x(m.x0.data(), static_cast<Eigen::Index>(m.x0.size()));
  const Eigen::Map<const Eigen::VectorXd> v(m.v0.data(), static_cast<Eigen::Index>(m.v0.size()));
  state.x = x, state.v = v;
  loads.gravity = in.gravity;
  loads.force = host::body_forces(
      tree, x, in.tau + host::passive_torque(tree, in.q, in.v, host::Passive::kRows));
  const Eigen::VectorXd near = host::passive_values(tree, m, in.q);
  loads.near = {near.data(), static_cast<std::size_t>(near.size())};
  using Step = maximal::SoftStep<double>;
  CHECK_TRUE(Status::kOk == solver->factor(state, h > 0 ? Step::over(h) : Step::at_once()));
  CHECK_TRUE(Status::kOk == solver->accelerations(state, loads, out));
  CHECK_AT_MOST(1e-11, solver->errors().position, "errors");
  return host::joint_accelerations(tree, x, v, out.v);
}

host::DenseInput state_of(const host::Tree& tree, std::uint64_t seed) {
  test::Random random(seed);
  host::DenseInput in = test::random_state(tree.bodies, random);
  in.external.setZero();
  // angles of more than a turn: poses do not tell
  Eigen::Index at = 0;
  for (const Body& body : tree.bodies) {
    if (body.joint == JointType::kRevolute) in.q[at] += 7 * static_cast<double>(at % 3 - 1);
    at += config_count(body.joint);
  }
  return in;
}

}  // namespace

TEST_GROUP(PassiveJoints){};

TEST(PassiveJoints, ArmaturesSpringsAndDampersAreThoseOfJointSpace) {
  for (const test::Shape shape : test::kShapes) {
    const host::Tree tree = passive_tree(shape, 5, 1);
    const host::DenseInput in = state_of(tree, 7);
    const Eigen::VectorXd expected = host::solve_dense(tree.bodies, in).vdot;
    CHECK_AT_MOST(1e-10, test::relative_error(accelerations(tree, in, 0), expected), "vdot");
  }
}

// What springs and dampers do at the step's end, as efforts in joint space, has the same answer.
TEST(PassiveJoints, StepsAreImplicitEulersOfJointSpace) {
  for (const double scale : {1.0, 1e3}) {
    for (const test::Shape shape : test::kShapes) {
      const host::Tree tree = passive_tree(shape, 6, scale);
      const host::DenseInput in = state_of(tree, 8);
      const double h = 0.01;
      const Eigen::VectorXd a = accelerations(tree, in, h);
      host::DenseInput end = in;
      std::vector<Body> bodies = tree.bodies;
      Eigen::Index at_q = 0, at = 0;
      for (Body& body : bodies) {
        const int dofs = dof_count(body.joint);
        if (dofs == 1) {
          const double v = in.v[at] + h * a[at];
          end.tau[at] -= body.damping * v + body.stiffness * (in.q[at_q] + h * v - body.rest);
          body.damping = body.stiffness = 0;
        }
        at_q += config_count(body.joint), at += dofs;
      }
      const Eigen::VectorXd expected = host::solve_dense(bodies, end).vdot;
      CHECK_AT_MOST(1e-9 * scale, test::relative_error(a, expected), "vdot");
    }
  }
}
