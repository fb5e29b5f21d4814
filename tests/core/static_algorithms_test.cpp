// Steps, inverse dynamics, kinematics and the mass matrix give the same bits for both forms of a
// model, in float and in double.
#include <CppUTest/TestHarness.h>

#include <memory>
#include <numbers>

#include "core/test_joint_stepper.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/mass_matrix.hpp"
#include "lockstep/table_model.hpp"
#include "quadruped.hpp"
#include "six_axis_arm.hpp"
#include "support/model_states.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

template <class Vector>
void add_bits(Hash& hash, const Vector& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) hash.add(values.data()[i]);
}

// Everything that is computed of some states.
template <class Model, class T, class Form>
std::uint64_t hash_of(const typename ViewOf<Form, T>::Type& model) {
  const auto stepper = std::make_unique<test::TestJointStepper<Form, T>>(model);
  const auto inverse = std::make_unique<InverseDynamics<Form, T>>(model);
  const auto mass = std::make_unique<MassMatrix<Form, T>>(model);
  const auto held = std::make_unique<Kinematics<Form, T>>(model);
  Kinematics<Form, T>& kinematics = *held;
  const LinkFrame<T> link(Model::kFrames.back());
  auto state = stepper->make_input();
  auto external = stepper->make_wrenches();
  auto motion = inverse->make_input();
  auto tau = inverse->make_output();
  auto M = mass->make_output();
  auto J = kinematics.make_jacobian();
  typename Kinematics<Form, T>::Pose pose;
  auto twist = kinematics.make_twist();
  auto centre_J = kinematics.make_centre_jacobian();
  typename Kinematics<Form, T>::Momentum momentum;
  typename Kinematics<Form, T>::Energy energy;

  test::Random random(2027);
  Hash hash;
  for (int i = 0; i < 20; ++i) {
    test::randomize<Model>(state, T(3), random);
    external.setConstant(static_cast<T>(random.uniform(-5, 5)));
    const auto from = state.q;
    for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4}) {
      CHECK_TRUE(Status::kOk == stepper->step(state, T(1e-3), integrator));
      CHECK_TRUE(Status::kOk == stepper->step(state, external, T(1e-3), integrator));
    }
    add_bits(hash, state.q), add_bits(hash, state.v), add_bits(hash, stepper->output().reaction);
    CHECK_TRUE(Status::kOk == difference(model, from, state.q, tau));
    add_bits(hash, tau);
    motion.q = state.q, motion.v = state.v, motion.vdot = state.tau;
    CHECK_TRUE(Status::kOk == inverse->inverse_dynamics(motion, external, tau));
    add_bits(hash, tau);
    CHECK_TRUE(Status::kOk == inverse->gravity_torque(state.q, state.gravity, tau));
    add_bits(hash, tau);
    CHECK_TRUE(Status::kOk == mass->mass_matrix(state.q, M));
    add_bits(hash, M);
    CHECK_TRUE(Status::kOk == kinematics.pose(state.q, link, pose));
    add_bits(hash, pose.R_WL), add_bits(hash, pose.p_WL);
    CHECK_TRUE(Status::kOk == kinematics.twist(state.q, state.v, link, Axes::kOfWorld, twist));
    add_bits(hash, twist);
    CHECK_TRUE(Status::kOk == kinematics.jacobian(state.q, link, Axes::kOfLink, J));
    add_bits(hash, J);
    CHECK_TRUE(Status::kOk == kinematics.centre_jacobian(state.q, centre_J));
    add_bits(hash, centre_J);
    CHECK_TRUE(Status::kOk == kinematics.momentum(state.q, state.v, momentum));
    add_bits(hash, momentum.angular), add_bits(hash, momentum.about_centre);
    CHECK_TRUE(Status::kOk == kinematics.energy(state.q, state.v, state.gravity, energy));
    hash.add(energy.kinetic), hash.add(energy.potential);
  }
  return hash.value();
}

template <class Model, class T>
void check_forms() {
  using Table = TableModel<T, 13>;  // one for all
  const auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(Model::kBodies));
  const std::uint64_t fixed = hash_of<Model, T, Model>({}),
                      at_run_time = hash_of<Model, T, Table>(*table);
  CHECK_TRUE(fixed == at_run_time);
}

}  // namespace

TEST_GROUP(StaticAlgorithms){};

TEST(StaticAlgorithms, AllJointTypesGiveTheSameBits) {
  check_forms<test::AllJoints, double>();
  check_forms<test::AllJoints, float>();
}
TEST(StaticAlgorithms, SixAxisArmGivesTheSameBits) { check_forms<six_axis_arm, double>(); }
TEST(StaticAlgorithms, QuadrupedGivesTheSameBits) { check_forms<quadruped, float>(); }

// before a joint of a legged robot come seven coordinates of its base, and six rates
TEST(StaticAlgorithms, JointsAreFoundByName) {
  constexpr JointIndex kHip = joint_index<quadruped>("front_left_hip");
  static_assert(kHip == JointIndex{.body = 2, .q = 8, .v = 7});
  static_assert(joint_index<quadruped>("root_joint") == JointIndex{});
  static_assert(joint_index<six_axis_arm>("elbow") == JointIndex{.body = 2, .q = 2, .v = 2});
  CHECK_TRUE((kHip == StaticModel<quadruped, float>{}.joint("front_left_hip")));
  CHECK_FALSE((StaticModel<quadruped, float>{}.joint("front_left_hop").has_value()));
}

// the joints' places added up along the URDF, the first joint a quarter turn to the left
TEST(StaticAlgorithms, TheToolOfAnArmIsWhereItsUrdfPutsIt) {
  const Kinematics<six_axis_arm> arm;
  constexpr auto kTool = link_frame<six_axis_arm>("tool");
  Kinematics<six_axis_arm>::Configs q = Eigen::VectorXd::Unit(6, 0) * (std::numbers::pi / 2);
  Kinematics<six_axis_arm>::Pose pose;
  CHECK_TRUE(Status::kOk == arm.pose(q, kTool, pose));
  CHECK_AT_MOST(1e-15, (pose.p_WL - Eigen::Vector3d(0.3553, -1.5907, 0.077)).norm(), "place");
  Eigen::Matrix3d R_WL;
  R_WL << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  CHECK_AT_MOST(1e-15, (pose.R_WL - R_WL).norm(), "axes");
}
