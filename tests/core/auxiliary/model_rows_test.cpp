#include "lockstep/auxiliary/model_rows.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>
#include "lockstep/constraint/any_constraint.hpp"

#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/table_model.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

constexpr constraint::ConstraintRecord loop(constraint::ConstraintType type, int a, int b) {
  constraint::ConstraintRecord record{static_cast<int>(type), a, b};
  for (const std::size_t i : {0u, 4u, 8u, 12u, 16u, 20u}) record.numbers[i] = 1;  // unturned
  record.numbers[9] = 0.3, record.numbers[22] = 0.2;                              // p_A, p_B
  return record;
}

// Two mechanisms, tied to each other and to the world.
struct Model {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr Body kLink = {
      .p_PJ = {0.3, 0.1, 0}, .mass = 1, .h = {0.1, 0, 0.05}, .inertia = {0.1, 0, 0, 0.2, 0, 0.2}};
  static constexpr std::array<Body, 6> kBodies = [] {
    std::array<Body, 6> bodies;
    bodies.fill(kLink);
    bodies[0].joint = JointType::kFloating;
    bodies[1].parent = 0, bodies[1].joint = JointType::kBall;
    bodies[2].parent = 1, bodies[2].joint = JointType::kPrismatic;
    bodies[3].parent = kWorld;
    bodies[4].parent = 3, bodies[4].joint = JointType::kPlanar;
    bodies[5].parent = 4;
    return bodies;
  }();
  static constexpr std::array<constraint::ConstraintRecord, 2> kLoops = {
      loop(constraint::ConstraintType::kBall, 2, 5),
      loop(constraint::ConstraintType::kPointOnLine, 1, kWorld)};
  static constexpr std::array<Coupling, 1> kCouplings = {{{.first = 0, .count = 2}}};
  static constexpr std::array<CouplingTerm, 2> kCouplingTerms = {
      {{.body = 2, .coefficient = 1}, {.body = 5, .coefficient = -0.1}}};
};

template <class T>
void check_both_forms() {
  using Table = TableModel<T, 8>;
  using Fixed = ConstrainedSolver<Model, T, 6>;
  using AtRunTime = ConstrainedSolver<Table, T, 8>;
  const auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(Model::kBodies));
  const auto fixed = std::make_unique<Fixed>();
  const auto other = std::make_unique<AtRunTime>(*table);
  auto in = fixed->make_input();
  auto out = fixed->make_output();
  auto table_in = other->make_input();
  auto table_out = other->make_output();
  typename Fixed::Forces forces;
  typename AtRunTime::Forces table_forces;
  const auto add = [](Fixed& rows) { return add_model_rows(rows); };
  const auto add_one_by_one = [](AtRunTime& rows) {
    const std::array<JointWeight<T>, 2> coupling = {{{2, T(1)}, {5, T(-0.1)}}};
    Status status = Status::kOk;
    for (const constraint::ConstraintRecord& loop : Model::kLoops) {
      if (status != Status::kOk) break;
      status = rows.add(constraint::AnyConstraint<T>(loop), loop.a, loop.b);
    }
    return status == Status::kOk ? rows.add(coupling) : status;
  };
  test::Random random(7);
  for (int i = 0; i < 20; ++i) {
    test::randomize<Model>(in, T(1), random);
    table_in.q = in.q, table_in.v = in.v, table_in.tau = in.tau;
    CHECK_TRUE(Status::kOk == fixed->forward_dynamics(in, add, out, forces));
    CHECK_TRUE(Status::kOk ==
               other->forward_dynamics(table_in, add_one_by_one, table_out, table_forces));
    LONGS_EQUAL(6, fixed->row_count());
    LONGS_EQUAL(0, forces.redundant);
    CHECK_TRUE(out.vdot == table_out.vdot);
    CHECK_TRUE(out.reaction == table_out.reaction);
    CHECK_TRUE(out.lambda == table_out.lambda);
    for (std::size_t row = 0; row < 6; ++row) {
      CHECK_TRUE(forces.mu[row] == table_forces.mu[row] && forces.mu[row] != T(0));
    }
  }
}

}  // namespace

TEST_GROUP(ModelRows){};

TEST(ModelRows, BothFormsGiveTheSameBits) {
  check_both_forms<double>();
  check_both_forms<float>();
}

TEST(ModelRows, AnUnknownTypeIsRefused) {
  const auto check = [](constraint::ConstraintRecord loop, int type) {
    loop.type = type;
    return constraint::AnyConstraint<double>(loop).check();
  };
  CHECK_TRUE(Status::kOk == check(Model::kLoops[0], Model::kLoops[0].type));
  CHECK_TRUE(Status::kBadConstraint == check(Model::kLoops[0], 1000));
  CHECK_TRUE(Status::kBadConstraint == check(Model::kLoops[0], -1));
}
