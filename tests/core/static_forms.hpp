// Solves an emitted model and the same bodies in a table: the same bits.
#pragma once

#include <CppUTest/TestHarness.h>

#include <memory>

#include "lockstep/direct.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/solver.hpp"
#include "robot/solvers.hpp"
#include "support/model_states.hpp"

namespace lockstep::test {

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

  Random random(2026);
  Hash fixed_hash, table_hash;
  for (int state = 0; state < states; ++state) {
    randomize<Model>(in, T(3), random);
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
void check_solver() {
  check_forms<Model, double, Solver<Model, double>, host::HostSolver<double>>(50);
  check_forms<Model, float, Solver<Model, float>, host::HostSolver<float>>(50);
}
template <class Model, class T>
void check_direct_solver() {
  check_forms<Model, T, DirectSolver<Model, T>, DirectSolver<host::HostModel<T>, T>>(20);
}

}  // namespace lockstep::test
