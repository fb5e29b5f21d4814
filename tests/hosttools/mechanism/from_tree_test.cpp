#include "mechanism/from_tree.hpp"

#include "mechanism/summary.hpp"
#include "oracle/dense.hpp"
#include "oracle/energy.hpp"
#include "support/dense_mechanism.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;

namespace {

host::Tree tree_of(std::vector<Body> bodies) {
  host::Tree tree;
  tree.name = "tree";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    tree.link_names.push_back("link_" + std::to_string(i));
    tree.joint_names.push_back("joint_" + std::to_string(i));
  }
  tree.bodies = std::move(bodies);
  return tree;
}

std::string refusal(const host::Tree& tree) {
  const host::DenseInput in = host::rest(tree.bodies);
  try {
    host::from_tree(tree, in.q, in.v, "arm.urdf");
  } catch (const host::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_GROUP(FromTree){};

TEST(FromTree, JointsHoldInEveryStateAndLeaveTheirDegreesOfFreedom) {
  for (const test::Shape shape : test::kShapes) {
    const host::Tree tree = tree_of(test::random_tree({.shape = shape, .bodies = 12, .seed = 5}));
    test::Random random(7);
    const host::DenseInput in = test::random_state(tree.bodies, random);
    const host::Mechanism m = host::from_tree(tree, in.q, in.v, "tree");
    const host::Offsets offsets(m);
    for (std::size_t i = 0; i < m.constraints.size(); ++i) {
      const host::ConstraintState state = host::evaluate(m, offsets, i);
      CHECK_AT_MOST(1e-12, state.value.cwiseAbs().maxCoeff(), "gap");
      CHECK_AT_MOST(1e-11, state.velocity_error.cwiseAbs().maxCoeff(), "slip");
    }
    const host::MechanismCounts counts = host::count(m);
    LONGS_EQUAL(host::total_dof(tree.bodies), counts.degrees_of_freedom);
    LONGS_EQUAL(counts.velocities - counts.multipliers, counts.degrees_of_freedom);
  }
}

TEST(FromTree, KineticEnergyIsTheRobots) {
  const host::Tree tree = tree_of(test::random_tree({.bodies = 10, .seed = 2}));
  test::Random random(11);
  const host::DenseInput in = test::random_state(tree.bodies, random);
  const host::Mechanism m = host::from_tree(tree, in.q, in.v, "tree");
  double energy = 0;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    const auto body = maximal::from_numbers<maximal::RigidBody<double>>(m.bodies[i].numbers);
    const double *x = m.x0.data() + 7 * i, *v = m.v0.data() + 6 * i;
    const auto M = body.mass_matrix({{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}});
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t c = 0; c < 6; ++c) energy += 0.5 * v[r] * M[r][c] * v[c];
    }
  }
  const double expected = host::mechanics(tree.bodies, in).kinetic;
  DOUBLES_EQUAL(expected, energy, 1e-12 * expected);
}

// At rest a body's acceleration is the joints' accelerations seen as velocities.
TEST(FromTree, FallsAsTheRobotDoes) {
  for (const test::Shape shape : test::kShapes) {
    const host::Tree tree = tree_of(test::random_tree({.shape = shape, .bodies = 9, .seed = 3}));
    test::Random random(13);
    host::DenseInput in = host::rest(tree.bodies);
    in.q = test::random_state(tree.bodies, random).q;
    std::vector<Body> undamped = tree.bodies;
    for (Body& body : undamped) body.damping = 0;
    const Eigen::VectorXd vdot = host::solve_dense(undamped, in).vdot;
    const auto expected = host::place_in_world(tree.bodies, in.q, vdot);
    const auto answer = test::solve_dense(host::from_tree(tree, in.q, in.v, "tree"));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      Eigen::Matrix<double, 6, 1> body;
      body << expected[i].velocity, expected[i].omega;
      const auto own = answer.vdot.segment<6>(static_cast<Eigen::Index>(6 * i));
      CHECK_AT_MOST(1e-9, test::relative_error(own, body), tree.link_names[i].c_str());
    }
  }
}

TEST(FromTree, LinkWithoutMassIsRefused) {
  host::Tree tree = tree_of(test::random_tree({.bodies = 3, .seed = 1}));
  tree.bodies[1].mass = 0, tree.bodies[1].h = {}, tree.bodies[1].inertia = {};
  const std::string message = refusal(tree);
  STRCMP_CONTAINS("arm.urdf: link 'link_1': has no mass", message.c_str());
  STRCMP_CONTAINS("give it an <inertial>", message.c_str());
}

// The parts of a turn in which a sum of joints is known.
TEST(FromTree, CouplingsAreSums) {
  host::Tree tree = tree_of(test::random_tree({.bodies = 3, .seed = 1}));
  for (Body& body : tree.bodies) body.joint = JointType::kRevolute;
  tree.bodies[2].joint = JointType::kPrismatic;
  tree.coupling_names = {"belt", "rack"};
  const auto parts = [&](double first, double second) {
    tree.couplings = {{.first = 0, .count = 2, .offset = 0.5}, {.first = 2, .count = 2}};
    tree.terms = {{0, first}, {1, second}, {1, 0.02}, {2, -1}};
    const host::DenseInput in = host::rest(tree.bodies);
    const host::Mechanism mechanism = host::from_tree(tree, in.q, in.v, "tree");
    LONGS_EQUAL(7, mechanism.constraints.size());
    const maximal::ConstraintRecord *belt = &mechanism.constraints[3], *rack = belt + 2;
    CHECK(!belt[0].joins && belt[1].joins && !rack[0].joins && rack[1].joins);
    LONGS_EQUAL(static_cast<int>(maximal::ConstraintType::kAngleTerm), rack[0].type);
    LONGS_EQUAL(static_cast<int>(maximal::ConstraintType::kWayTerm), rack[1].type);
    DOUBLES_EQUAL(0.5, belt[0].numbers[25], 0);  // the offset, once
    DOUBLES_EQUAL(0, belt[1].numbers[25], 0);
    LONGS_EQUAL(50, rack[0].turn_parts);
    return belt[0].turn_parts;
  };
  LONGS_EQUAL(1, parts(1, -6));
  LONGS_EQUAL(2, parts(1, 2.5));
  LONGS_EQUAL(3, parts(1, -1.0 / 3));
  LONGS_EQUAL(0, parts(1, 0.70710678118654752));
}
