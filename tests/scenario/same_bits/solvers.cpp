// Forward dynamics: generated and in passes, from a table, in lanes, by direct elimination.
#include "hashes.hpp"
#include "lockstep/direct.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "quadruped.hpp"
#include "quadruped_passes.hpp"
#include "six_axis_arm.hpp"

namespace lockstep::test {

namespace {

constexpr int kStates = 100;

template <class Input, class Wrenches>
void next_state(Random& random, const Input& upright, Input& in, Wrenches& external) {
  random.fill(in.q, 3);
  if (in.q.size() != in.v.size()) in.q.template head<7>() = upright.q.template head<7>();
  random.fill(in.v, 2);
  random.fill(in.tau, 20);
  random.fill(external, 5);
}

template <class Solver, class T>
void tell_answers(const char* what, Solver& solver) {
  Witness<T> witness(what);
  auto in = solver.make_input();
  auto external = solver.make_wrenches();
  auto out = solver.make_output();
  const auto upright = in;
  Random random;
  for (int i = 0; i < kStates; ++i) {
    next_state(random, upright, in, external);
    witness.add(solver.forward_dynamics(in, out));
    witness.add_output(out);
    witness.add(solver.forward_dynamics(in, external, out));
    witness.add_output(out);
  }
}
template <class Model, class T>
void tell_solver(const char* what) {
  static Solver<Model, T> solver;
  tell_answers<Solver<Model, T>, T>(what, solver);
}
template <class Model, class T>
void tell_direct(const char* what) {
  static DirectSolver<Model, T> solver;
  tell_answers<DirectSolver<Model, T>, T>(what, solver);
}
template <class Model, class T>
void tell_table(const char* what) {
  using Table = TableModel<T, static_cast<int>(Model::kBodies.size())>;
  static Table table;
  if (const Status status = table.assign(Model::kBodies); status != Status::kOk) {
    return Witness<T>(what).add(status);
  }
  static Solver<Table, T> solver(table);
  tell_answers<Solver<Table, T>, T>(what, solver);
}

template <class Model, class T>
void tell_lanes(const char* what) {
  constexpr int kWidth = 4;
  using Side = Lanes<T, kWidth>;
  static Solver<Model, Side> solver;
  static Solver<Model, T> alone;
  Witness<T> witness(what);
  auto all = solver.make_input();
  auto answers = solver.make_output();
  auto in = alone.make_input();
  auto external = alone.make_wrenches();
  auto out = alone.make_output();
  const auto upright = in;
  Random random;
  for (int i = 0; i < kStates / kWidth; ++i) {
    for (int lane = 0; lane < kWidth; ++lane) {
      next_state(random, upright, in, external);
      set_lane(all, lane, in);
    }
    const auto status = solver.forward_dynamics(all, answers);
    for (int lane = 0; lane < kWidth; ++lane) {
      get_lane(answers, lane, out);
      witness.add(status_of(status, lane));
      witness.add_output(out);
    }
  }
}

template <class T>
void tell_all() {
  tell_solver<six_axis_arm, T>("Solver, arm");
  tell_solver<quadruped, T>("Solver, quadruped");
  tell_solver<quadruped_passes, T>("Solver, quadruped in passes");
  tell_table<quadruped, T>("Solver, quadruped in a table");
  tell_lanes<six_axis_arm, T>("Solver, arm in lanes");
  tell_direct<six_axis_arm, T>("DirectSolver, arm");
  tell_direct<quadruped, T>("DirectSolver, quadruped");
}

}  // namespace

void tell_solvers() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
