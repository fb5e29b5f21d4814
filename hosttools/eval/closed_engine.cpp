#include "eval/closed_engine.hpp"

#include <memory>

#include "error.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "model/loop_rows.hpp"
#include "model/table.hpp"
#include "model/tree_rows.hpp"

namespace lockstep::host {

namespace {

// Everything a call needs, made once; on the heap, it is too large for a stack.
template <class T>
struct Workspace {
  using Model = TableModel<T, kHostBodies>;
  using Solver = ConstrainedSolver<Model, T, kHostRows>;

  TreeRows<T> rows;
  int count;  // of the rows
  std::unique_ptr<Model> model;
  Solver solver;
  InverseDynamics<Model, T> inverse;
  typename Solver::Input in;
  typename Solver::Wrenches external;
  typename Solver::Output out;
  typename Solver::Forces forces;

  explicit Workspace(const Tree& tree)
      : rows(tree),
        count(row_count(tree)),
        model(to_table<T>(tree)),
        solver(*model),
        inverse(*model),
        in(solver.make_input()),
        external(solver.make_wrenches()),
        out(solver.make_output()) {}

  ClosedAnswer answer(const DenseInput& state) {
    in.q = state.q.cast<T>();
    in.v = state.v.cast<T>();
    in.tau = state.tau.cast<T>();
    in.gravity = state.gravity.cast<T>();
    external = state.external.cast<T>();
    const auto add = [&](Solver& to) { return add_rows(to, rows); };
    check(solver.forward_dynamics(in, external, add, out, forces));
    return {.out = {.vdot = out.vdot.template cast<double>(),
                    .reaction = out.reaction.template cast<double>()},
            .mu = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(forces.mu.data(), count)
                      .template cast<double>(),
            .generalized = generalized(),
            .redundant = forces.redundant};
  }

 private:
  static void check(Status status) {
    if (status != Status::kOk) throw Error(to_string(status));
  }

  // What the motion needs beyond the efforts.
  Eigen::VectorXd generalized() {
    auto motion = inverse.make_input();
    motion.q = in.q, motion.v = in.v, motion.vdot = out.vdot, motion.gravity = in.gravity;
    auto tau = inverse.make_output();
    check(inverse.inverse_dynamics(motion, external, tau));
    return (tau - in.tau).template cast<double>();
  }
};

template <class T>
ClosedEngine engine(const Tree& tree) {
  return [work = std::make_shared<Workspace<T>>(tree)](const DenseInput& in) {
    return work->answer(in);
  };
}

}  // namespace

ClosedEngine make_closed_engine(const Tree& tree, EvalScalar scalar) {
  if (row_count(tree) > kHostRows) {
    throw Error("robot '" + tree.name + "': its loops and couplings have " +
                std::to_string(row_count(tree)) + " rows, and at most " +
                std::to_string(kHostRows) + " can act; choose loop types with fewer rows");
  }
  return scalar == EvalScalar::kFloat ? engine<float>(tree) : engine<double>(tree);
}

}  // namespace lockstep::host
