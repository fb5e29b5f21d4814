#include "lockstep/solver.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "lockstep/direct.hpp"
#include "lockstep/table_model.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A floating body that carries a ball, a planar and a revolute joint.
struct Model {
  static constexpr std::array<Body, 4> kBodies = {{
      {.parent = kWorld,
       .joint = JointType::kFloating,
       .mass = 3,
       .h = {0.1, 0.2, 0},
       .inertia = {0.5, 0, 0, 0.4, 0, 0.6}},
      {.parent = 0,
       .joint = JointType::kBall,
       .p_PJ = {0.3, 0, 0.1},
       .mass = 1,
       .h = {0, 0, 0.2},
       .inertia = {0.2, 0, 0, 0.2, 0, 0.1}},
      {.parent = 0,
       .joint = JointType::kPlanar,
       .p_PJ = {-0.3, 0, 0.1},
       .mass = 1,
       .h = {0.1, 0, 0},
       .inertia = {0.1, 0, 0, 0.2, 0, 0.2}},
      {.parent = 2,
       .joint = JointType::kRevolute,
       .R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
       .p_PJ = {0.2, 0, 0},
       .mass = 1,
       .h = {0.1, 0.1, 0},
       .inertia = {0.1, 0, 0, 0.2, 0, 0.2},
       .damping = 0.5},
  }};
};

struct EmptyModel {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 0> kBodies = {};
};

using Table = TableModel<double, 8>;

// The model in a table: static models give the same bits (static_table_test) and compile slowly.
template <template <class, class> class AnySolver>
struct Bench {
  using Tested = AnySolver<Table, double>;
  Table table = [] {
    Table filled;
    CHECK_TRUE(Status::kOk == filled.assign(Model::kBodies));
    return filled;
  }();
  Tested solver{table};
  typename Tested::Input in = solver.make_input();
  typename Tested::Wrenches external = solver.make_wrenches();
  typename Tested::Output out = solver.make_output();

  // The status, once it is shown that the output stayed as it was.
  Status refused() {
    out.vdot.setConstant(77);
    out.reaction.setConstant(78);
    out.lambda.setConstant(79);
    const Status status = solver.forward_dynamics(in, external, out);
    CHECK_TRUE((out.vdot.array() == 77).all());
    CHECK_TRUE((out.reaction.array() == 78).all());
    CHECK_TRUE((out.lambda.array() == 79).all());
    return status;
  }
};

template <template <class, class> class AnySolver>
void check_bad_numbers_are_refused() {
  using Any = Bench<AnySolver>;
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (int i = 0; i < 15; ++i) {
      Any b;
      b.in.q[i] = bad;
      CHECK_TRUE(Status::kNotFinite == b.refused());
    }
    for (int i = 0; i < 13; ++i) {
      Any v, tau;
      v.in.v[i] = bad;
      tau.in.tau[i] = bad;
      CHECK_TRUE(Status::kNotFinite == v.refused());
      CHECK_TRUE(Status::kNotFinite == tau.refused());
    }
    Any gravity, external;
    gravity.in.gravity[1] = bad;
    external.external(4, 2) = bad;
    CHECK_TRUE(Status::kNotFinite == gravity.refused());
    CHECK_TRUE(Status::kNotFinite == external.refused());
  }
}

template <template <class, class> class AnySolver>
void check_meaningless_numbers_are_refused() {
  for (const int w : {6, 10}) {  // of the floating body and of the ball
    for (const double length : {0.0, 0.99, 1.01, 1e200}) {
      Bench<AnySolver> b;
      b.in.q[w] = length;
      CHECK_TRUE(Status::kNotUnitQuaternion == b.refused());
    }
  }
  for (const int angle : {13, 14}) {  // of the planar and of the revolute joint
    for (const double value : {3e7, -3e7, 1e300}) {
      Bench<AnySolver> b;
      b.in.q[angle] = value;
      CHECK_TRUE(Status::kAngleTooLarge == b.refused());
    }
  }
  Bench<AnySolver> b;
  b.in.v.setConstant(1e200);
  CHECK_TRUE(Status::kOverflow == b.refused());
}

// what a massless body at the end of a chain does to S^T B S
struct MasslessTip {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 2> kBodies = {
      {{.mass = 1, .h = {1, 0, 0}, .inertia = {1, 0, 0, 1, 0, 1}},
       {.parent = 0, .p_PJ = {1, 0, 0}}}};
};

template <template <class, class> class AnySolver>
void check_sizes_are_refused() {
  const auto refuses = [](auto&& spoil) {
    Bench<AnySolver> b;
    spoil(b.in, b.external, b.out);
    CHECK_TRUE(Status::kWrongSize == b.solver.forward_dynamics(b.in, b.external, b.out));
  };
  refuses([](auto& in, auto&, auto&) { in.q.conservativeResize(14); });
  refuses([](auto& in, auto&, auto&) { in.v.conservativeResize(12); });
  refuses([](auto& in, auto&, auto&) { in.tau.conservativeResize(14); });
  refuses([](auto&, auto& external, auto&) { external.conservativeResize(6, 3); });
  refuses([](auto&, auto&, auto& out) { out.vdot.resize(12); });
  refuses([](auto&, auto&, auto& out) { out.reaction.resize(6, 3); });
  refuses([](auto&, auto&, auto& out) { out.lambda.resize(2); });
}

}  // namespace

TEST_GROUP(Solver){};
TEST_GROUP(DirectSolver){};

TEST(Solver, NaNAndInfinityAreRefusedAtTheBorder) { check_bad_numbers_are_refused<Solver>(); }
TEST(Solver, MeaninglessNumbersAreRefusedAtTheBorder) {
  check_meaningless_numbers_are_refused<Solver>();
}

TEST(Solver, AMassMatrixThatIsSingularIsReported) {
  Solver<MasslessTip> nullspace;
  DirectSolver<MasslessTip> direct;
  auto out = nullspace.make_output();
  out.vdot.setConstant(5);
  CHECK_TRUE(Status::kSingular == nullspace.forward_dynamics(nullspace.make_input(), out));
  CHECK_TRUE(Status::kSingular == direct.forward_dynamics(nullspace.make_input(), out));
  CHECK_TRUE((out.vdot.array() == 5).all());
}

TEST(Solver, InputsOfTheWrongSizeAreRefused) { check_sizes_are_refused<Solver>(); }
TEST(DirectSolver, InputsOfTheWrongSizeAreRefused) { check_sizes_are_refused<DirectSolver>(); }

TEST(Solver, ARobotWithoutBodiesIsSolved) {
  Solver<EmptyModel> solver;
  auto out = solver.make_output();
  CHECK_TRUE(Status::kOk == solver.forward_dynamics(solver.make_input(), out));
  TableModel<float, 4> table;
  Solver<TableModel<float, 4>, float> at_run_time(table);
  auto table_out = at_run_time.make_output();
  CHECK_TRUE(Status::kOk == at_run_time.forward_dynamics(at_run_time.make_input(), table_out));
}

TEST(Solver, AtRestAWeightlessRobotStaysAtRest) {
  Bench<Solver> b;
  b.in.gravity.setZero();
  CHECK_TRUE(Status::kOk == b.solver.forward_dynamics(b.in, b.out));
  CHECK_TRUE(b.out.vdot.isZero(0) && b.out.reaction.isZero(0));
}

TEST(Solver, MultipliersAreTheConstrainedPartOfTheReaction) {
  Bench<Solver> b;
  for (int i = 0; i < 13; ++i) b.in.v[i] = 0.1 * i - 0.5, b.in.tau[i] = 0.3 * i - 2;
  CHECK_TRUE(Status::kOk == b.solver.forward_dynamics(b.in, b.out));
  // R_LB is the identity here: link axes are body axes
  const auto& f = b.out.reaction;
  CHECK_AT_MOST(0, (b.out.lambda.segment(0, 3) - f.col(1).head(3)).norm(), "ball: the force");
  CHECK_AT_MOST(0, (b.out.lambda.segment(3, 3) - f.col(2).segment(2, 3)).norm(), "planar");
  CHECK_AT_MOST(0, (b.out.lambda.segment(6, 5) - f.col(3).head(5)).norm(), "revolute");
  // and the free part is what acts along the joint: tau less damping
  CHECK_AT_MOST(0, (f.col(0) - b.in.tau.head(6)).norm(), "floating");
  CHECK_AT_MOST(0, (f.col(1).tail(3) - b.in.tau.segment(6, 3)).norm(), "ball");
  DOUBLES_EQUAL(b.in.tau[12] - 0.5 * b.in.v[12], f(5, 3), 0);
}

TEST(Solver, AnExternalWrenchOnAFloatingBodyActsLikeItsForce) {
  Bench<Solver> pushed, driven;
  for (int i = 0; i < 6; ++i) {
    pushed.external(i, 0) = 0.5 * i - 1;
    driven.in.tau[i] = 0.5 * i - 1;
  }
  CHECK_TRUE(Status::kOk == pushed.solver.forward_dynamics(pushed.in, pushed.external, pushed.out));
  CHECK_TRUE(Status::kOk == driven.solver.forward_dynamics(driven.in, driven.out));
  CHECK_AT_MOST(1e-14, test::relative_error(pushed.out.vdot, driven.out.vdot), "");
}

TEST(Solver, NeverAllocates) {
  Bench<Solver> b;
  Bench<DirectSolver> d;
  Table table;
  LONGS_EQUAL(0, test::allocations_in([&] {
                CHECK_TRUE(Status::kOk == table.assign(Model::kBodies));
                Solver<Table> fresh(table);
                auto out = fresh.make_output();
                CHECK_TRUE(Status::kOk == fresh.forward_dynamics(fresh.make_input(), out));
                CHECK_TRUE(Status::kOk == b.solver.forward_dynamics(b.in, b.external, b.out));
                CHECK_TRUE(Status::kOk == d.solver.forward_dynamics(d.in, d.external, d.out));
                b.in.q[0] = kNaN;
                CHECK_TRUE(Status::kNotFinite == b.solver.forward_dynamics(b.in, b.out));
              }));
}

TEST(DirectSolver, NaNAndInfinityAreRefusedAtTheBorder) {
  check_bad_numbers_are_refused<DirectSolver>();
}
TEST(DirectSolver, MeaninglessNumbersAreRefusedAtTheBorder) {
  check_meaningless_numbers_are_refused<DirectSolver>();
}

// On trees with joints of every type, springs, and bodies without mass: two eliminations that share
// nothing but the kinematics.
TEST(DirectSolver, AnswersAsNullSpaceEliminationDoes) {
  for (const test::Shape shape : test::kShapes) {
    for (const bool massless : {false, true}) {
      auto bodies = test::random_tree(
          {.shape = shape, .bodies = 8, .seed = massless ? 5u : 4u, .massless = massless});
      for (Body& body : bodies) {
        if (dof_count(body.joint) == 1) body.stiffness = 7, body.rest = 0.3;
      }
      test::Random random(9);
      const host::DenseInput state = test::random_state(bodies, random);
      Table table;
      CHECK_TRUE(Status::kOk == table.assign(bodies));
      Solver<Table> solver(table);
      DirectSolver<Table> direct(table);
      auto in = solver.make_input();
      auto external = solver.make_wrenches();
      in.q = state.q, in.v = state.v, in.tau = state.tau, in.gravity = state.gravity;
      external = state.external;
      auto out = solver.make_output(), other = out;
      CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, external, out));
      CHECK_TRUE(Status::kOk == direct.forward_dynamics(in, external, other));
      CHECK_AT_MOST(1e-9, test::relative_error(other.vdot, out.vdot), "vdot");
      CHECK_AT_MOST(1e-9, test::relative_error(other.reaction, out.reaction), "reaction");
      CHECK_AT_MOST(1e-9, test::relative_error(other.lambda, out.lambda), "lambda");
    }
  }
}
