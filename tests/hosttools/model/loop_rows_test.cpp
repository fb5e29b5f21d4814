#include "model/loop_rows.hpp"

#include <cmath>
#include <filesystem>

#include "hosttools/compile/robot_files.hpp"
#include "hosttools/model/robots.hpp"
#include "lockstep/joint_space.hpp"
#include "model/table.hpp"
#include "oracle/world.hpp"
#include "support/conformance.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::LoopDescription;
using host::LoopRows;
using host::Tree;
using maximal::ConstraintType;

namespace {

constexpr ConstraintType kTypes[] = {ConstraintType::kBall,         ConstraintType::kRevolute,
                                     ConstraintType::kPrismatic,    ConstraintType::kCylindrical,
                                     ConstraintType::kUniversal,    ConstraintType::kPlanar,
                                     ConstraintType::kFixed,        ConstraintType::kPointOnLine,
                                     ConstraintType::kPointOnPlane, ConstraintType::kDistance};

// A loop of every type between random links of a robot with every joint.
Tree tied_robot(std::uint64_t seed) {
  Robot robot = random_robot(seed, 14);
  Random random(seed + 100);
  for (const ConstraintType type : kTypes) {
    LoopDescription loop;
    loop.name = "loop";
    loop.type = type;
    const auto draw = [&](host::LoopEnd& end, int link) {
      end.link = "l" + std::to_string(link);
      end.R_LF = random.rotation().toRotationMatrix();
      end.p_LF = random.vector(1);
    };
    draw(loop.predecessor, 0);
    draw(loop.successor, 3 * random.below(4) + 4);  // every third joint is fixed, and this is none
    loop.axis = random.vector(1).normalized();
    loop.length = random.uniform(0.5, 2);
    robot.description.loops.push_back(loop);
  }
  return robot.floating();
}

Eigen::VectorXd vector_of(const nlohmann::json& object, const Tree& tree,
                          const nlohmann::json& joints, const char* index) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(tree.bodies.size()));
  for (const auto& joint : joints) {
    const int body = index_of(tree.joint_names, joint.at("name").get<std::string>());
    result[body] = object.at(joint.at(index).get<std::size_t>()).get<double>();
  }
  return result;
}

}  // namespace

TEST_GROUP(LoopRows){};

TEST(LoopRows, JacobianIsTheRateOfTheValues) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Tree tree = tied_robot(seed);
    const auto model = host::to_table<double>(tree);
    Random random(seed);
    const int dofs = host::total_dof(tree.bodies);
    Eigen::VectorXd q = host::rest(tree.bodies).q, u(dofs), v(dofs);
    for (int i = 0; i < dofs; ++i) u[i] = random.uniform(-1, 1), v[i] = random.uniform(-1, 1);
    CHECK_TRUE(add_motion(*model, q.data(), u.data(), 1.0, q.data()) == Status::kOk);
    const LoopRows rows = host::evaluate_rows(tree, q);
    constexpr double kStep = 1e-5;
    Eigen::VectorXd before = q, after = q;
    CHECK_TRUE(add_motion(*model, q.data(), v.data(), -kStep, before.data()) == Status::kOk);
    CHECK_TRUE(add_motion(*model, q.data(), v.data(), kStep, after.data()) == Status::kOk);
    const Eigen::VectorXd rate =
        (host::evaluate_rows(tree, after).value - host::evaluate_rows(tree, before).value) /
        (2 * kStep);
    const double error = (rows.J * v - rate).cwiseAbs().maxCoeff();
    CHECK_TRUE(error < 1e-7 * (1 + rate.cwiseAbs().maxCoeff()));
  }
}

TEST(LoopRows, TypesHaveTheRowsThatTheyTakeFreedomsAway) {
  const std::vector<int> expected = {3, 5, 5, 4, 4, 3, 6, 2, 1};
  const Tree tree = tied_robot(1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    LONGS_EQUAL(expected[i], host::loop_row_count(tree.loops[i]));
  }
  LONGS_EQUAL(34, host::row_count(tree));
}

TEST(LoopRows, CouplingsAndMimicsMeasureTheirOffset) {
  const Tree tree = load(linked_robot_file());
  Eigen::VectorXd q = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(tree.bodies.size()));
  const auto joint = [&](const char* name) -> double& {
    return q[index_of(tree.joint_names, name)];
  };
  joint("crank_joint") = 0.2, joint("coupler_joint") = 0.3, joint("rotor_joint") = 2.5;
  joint("slide") = 0.1;
  const LoopRows rows = host::evaluate_rows(tree, q);
  DOUBLES_EQUAL(2.5 - 6 * 0.5, rows.value[6], 1e-15);
  DOUBLES_EQUAL(0.1 + 0.1 * 0.2 - 0.01, rows.value[7], 1e-15);
}

// States that another program made consistent, in position and in velocity.
TEST(LoopRows, VanishInTheConformanceStates) {
  const std::string folder = LOCKSTEP_CONFORMANCE_DIR "/urdfplus/";
  if (!std::filesystem::exists(folder)) {
    UT_PRINT("no conformance data beside the project");
    return;
  }
  for (const char* name : {"four_bar", "mini_cheetah_leg", "planar_leg_linkage",
                           "revolute_rotor_chain", "tilted_four_bar"}) {
    host::LoadOptions options;
    options.file = folder + name + ".urdf";
    options.quiet = options.keep_rotors = true;
    const Tree tree = host::load_tree(options);
    const auto file = read_json(folder + name + ".fixed.loop.json");
    CHECK_TRUE(host::row_count(tree) > 0);
    for (const auto& state : file.at("states")) {
      const auto& joints = file.at("joints");
      const Eigen::VectorXd q = vector_of(state.at("q"), tree, joints, "q_index");
      const Eigen::VectorXd v = vector_of(state.at("qd"), tree, joints, "v_index");
      const LoopRows rows = host::evaluate_rows(tree, q);
      CHECK_TRUE_TEXT(rows.value.cwiseAbs().maxCoeff() < 1e-12, name);
      CHECK_TRUE_TEXT((rows.J * v).cwiseAbs().maxCoeff() < 1e-11, name);
      CHECK_TRUE(std::ranges::count(rows.turned_over, true) == 0);
    }
  }
}
