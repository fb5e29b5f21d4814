// There and back on every robot whose joints are tied, coupled or closed in loops: forward dynamics
// undoes inverse dynamics, and rows are left without force.
#include <CppUTest/TestHarness.h>

#include <filesystem>
#include <memory>

#include "lockstep/inverse_dynamics.hpp"
#include "model/load.hpp"
#include "model/loop_rows.hpp"
#include "robot/assemble.hpp"
#include "robot/robot.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Closed = host::HostRobot<double, host::HostClosedSolver<double>>;
using Inverse = host::HostRobot<double, host::HostInverseDynamics<double>>;

Eigen::VectorXd random_vector(Eigen::Index size, test::Random& random) {
  Eigen::VectorXd values(size);
  for (double& value : values) value = random.uniform(-1, 1);
  return values;
}

// Efforts -> accelerations -> efforts -> accelerations. The second efforts ask nothing of
// followers.
void check_there_and_back(const host::Tree& tree) {
  const auto closed = std::make_unique<Closed>(tree, host::TreeRows<double>(tree));
  const auto inverse = std::make_unique<Inverse>(tree);
  const std::optional<Eigen::VectorXd> pose = host::assemble_elsewhere(tree);
  CHECK_TEXT(pose.has_value(), tree.name.c_str());
  test::Random random(7);
  host::HostClosedSolver<double>::Forces forces;
  auto& in = closed->in;
  auto& motion = inverse->in;
  in.q = motion.q = *pose;
  in.v = motion.v = random_vector(in.v.size(), random);
  in.tau = random_vector(in.v.size(), random);
  CHECK_TRUE(Status::kOk == closed->solver.forward_dynamics(in, closed->out, forces));
  motion.vdot = closed->out.vdot;
  CHECK_TRUE(Status::kOk ==
             inverse->solver.inverse_dynamics(motion, inverse->external, inverse->out));
  const Eigen::VectorXd asked = in.tau, tau = inverse->out, vdot = closed->out.vdot;

  Counts place;
  Eigen::VectorXd gathered = asked;
  std::vector<int> first;
  for (const Body& body : tree.bodies) {
    first.push_back(place.v);
    if (body.tie.leader != kNone) {
      gathered[first[at(body.tie.leader)]] += body.tie.ratio * asked[place.v];
      gathered[place.v] = 0;
      DOUBLES_EQUAL(0, tau[place.v], 0);
    }
    place.add(body.joint);
  }
  const double size = 1 + vdot.cwiseAbs().maxCoeff();
  const int rows = host::row_count(tree);
  if (rows == 0) {
    CHECK_AT_MOST(1e-12 * size, test::relative_error(tau, gathered), tree.name.c_str());
  }
  in.tau = tau;
  CHECK_TRUE(Status::kOk == closed->solver.forward_dynamics(in, closed->out, forces));
  CHECK_AT_MOST(1e-9, test::relative_error(closed->out.vdot, vdot), tree.name.c_str());
  for (int i = 0; i < rows; ++i) {
    CHECK_AT_MOST(1e-9 * size, std::abs(forces.mu[at(i)]), tree.name.c_str());
  }

  // at rest, what holds the robot up
  in.v.setZero();
  CHECK_TRUE(Status::kOk == inverse->solver.gravity_torque(in.q, in.gravity, inverse->out));
  in.tau = inverse->out;
  CHECK_TRUE(Status::kOk == closed->solver.forward_dynamics(in, closed->out, forces));
  CHECK_AT_MOST(1e-9, closed->out.vdot.cwiseAbs().maxCoeff(), tree.name.c_str());
}

void check_file(const std::filesystem::path& file) {
  for (const bool keep_rotors : {false, true}) {
    host::LoadOptions options;
    options.file = file.string();
    options.quiet = true;
    options.keep_rotors = keep_rotors;
    check_there_and_back(host::load_tree(options));
  }
}

}  // namespace

TEST_GROUP(HostInverseDynamics){};

TEST(HostInverseDynamics, IsUndoneOnEveryModelWithTiesCouplingsAndLoops) {
  const std::filesystem::path models = LOCKSTEP_MODELS_DIR;
  check_file(models / "gripper.urdf");
  check_file(models / "geared_quadruped.urdf");
  for (const auto& file : std::filesystem::directory_iterator(models / "loops")) {
    if (file.path().extension() == ".urdf") check_file(file.path());
  }
}

TEST(HostInverseDynamics, IsUndoneOnRobotsWithMimicsOfTheWild) {
  const std::filesystem::path robots = LOCKSTEP_CONFORMANCE_DIR "/robots";
  for (const char* name : {"panda.urdf", "baxter.urdf"}) {
    if (std::filesystem::exists(robots / name)) check_file(robots / name);
  }
}
