// Both forms of a model give the same bits, in float and in double, for our own robots.
#include <CppUTest/TestHarness.h>

#include <memory>

#include "ball_tree_31.hpp"
#include "geared_quadruped.hpp"
#include "humanoid.hpp"
#include "lockstep/direct.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/solver.hpp"
#include "quadruped.hpp"
#include "robot/solvers.hpp"
#include "seven_axis_arm.hpp"
#include "six_axis_arm.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

template <class Vector>
void add_bits(Hash& hash, const Vector& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) hash.add(values.data()[i]);
}

template <class Output>
void add_output(Hash& hash, const Output& out) {
  add_bits(hash, out.vdot);
  add_bits(hash, out.reaction);
  add_bits(hash, out.lambda);
}

template <class Model, class T, class FixedSolver, class TableSolver>
void check_forms(int states) {
  const auto table = std::make_unique<host::HostModel<T>>();
  CHECK_TRUE(Status::kOk == table->assign(Model::kBodies));
  const auto fixed = std::make_unique<FixedSolver>();
  const auto at_run_time = std::make_unique<TableSolver>(*table);
  auto in = fixed->make_input();
  auto external = fixed->make_wrenches();
  auto out = fixed->make_output();
  auto table_in = at_run_time->make_input();
  auto table_external = at_run_time->make_wrenches();
  auto table_out = at_run_time->make_output();

  test::Random random(2026);
  Hash fixed_hash, table_hash;
  for (int state = 0; state < states; ++state) {
    test::randomize<Model>(in, T(3), random);
    external.setConstant(static_cast<T>(random.uniform(-5, 5)));
    table_in.q = in.q, table_in.v = in.v, table_in.tau = in.tau;
    table_external = external;
    // the straight line of an emitted model takes the one way, its loops the other
    CHECK_TRUE(Status::kOk == fixed->forward_dynamics(in, out));
    add_output(fixed_hash, out);
    CHECK_TRUE(Status::kOk == fixed->forward_dynamics(in, external, out));
    add_output(fixed_hash, out);
    CHECK_TRUE(Status::kOk == at_run_time->forward_dynamics(table_in, table_out));
    add_output(table_hash, table_out);
    CHECK_TRUE(Status::kOk == at_run_time->forward_dynamics(table_in, table_external, table_out));
    add_output(table_hash, table_out);
  }
  CHECK_TRUE(fixed_hash.value() == table_hash.value());
}

template <class Model>
inline constexpr bool kIsStraight =
    StraightLineModel<Model, float>&& StraightLineModel<Model, double>;

template <class Model>
void check_solver() {
  check_forms<Model, double, Solver<Model, double>, host::HostSolver<double>>(50);
  check_forms<Model, float, Solver<Model, float>, host::HostSolver<float>>(50);
}
template <class Model, class T>
void check_direct_solver() {
  check_forms<Model, T, DirectSolver<Model, T>, DirectSolver<host::HostModel<T>, T>>(20);
}

}  // namespace

TEST_GROUP(StaticTable){};

// the arms go one body after another, the others with limbs side by side; the last one in a loop
static_assert(kIsStraight<six_axis_arm> && kIsStraight<seven_axis_arm>);
static_assert(StraightLimbsModel<quadruped, float> && StraightLimbsModel<humanoid, float>);
static_assert(!kIsStraight<ball_tree_31> && LimbedModel<ball_tree_31>);
static_assert(geared_quadruped::kRotors.size() == 12 && geared_quadruped::kBodies.size() == 13);

TEST(StaticTable, SixAxisArmGivesTheSameBits) {
  check_solver<six_axis_arm>();
  check_direct_solver<six_axis_arm, double>();
}
TEST(StaticTable, SevenAxisArmGivesTheSameBits) { check_solver<seven_axis_arm>(); }
TEST(StaticTable, QuadrupedGivesTheSameBits) {
  check_solver<quadruped>();
  check_direct_solver<quadruped, float>();
}
TEST(StaticTable, GearedQuadrupedGivesTheSameBits) { check_solver<geared_quadruped>(); }
TEST(StaticTable, HumanoidGivesTheSameBits) { check_solver<humanoid>(); }
TEST(StaticTable, TreeOfBallJointsGivesTheSameBits) { check_solver<ball_tree_31>(); }
