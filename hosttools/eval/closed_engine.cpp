#include <memory>

#include "error.hpp"
#include "eval/closed_case.hpp"
#include "lockstep/auxiliary/model_rows.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "model/table.hpp"

namespace lockstep::host {

namespace {

constexpr int kMaxRows = 96;

int row_count(const maximal::ConstraintRecord& loop) {
  return loop.type == static_cast<int>(maximal::ConstraintType::kBall) ? 3 : 6;
}

// Everything a call needs, made once; on the heap, it is too large for a stack.
template <class T>
struct Workspace {
  using Model = TableModel<T, kHostBodies>;
  using Solver = ConstrainedSolver<Model, T, kMaxRows>;

  std::vector<maximal::ConstraintRecord> loops;
  std::unique_ptr<Model> model;
  Solver solver;
  InverseDynamics<Model, T> inverse;
  typename Solver::Input in;
  typename Solver::Wrenches external;
  typename Solver::Output out;
  typename Solver::Forces forces;

  explicit Workspace(const ClosedCase& mechanism)
      : loops(mechanism.loops),
        model(to_table<T>(mechanism.tree)),
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
    const auto add_rows = [&](Solver& rows) {
      Status status = Status::kOk;
      for (const maximal::ConstraintRecord& loop : loops) {
        if (status == Status::kOk) status = add_loop(rows, loop);
      }
      return status;
    };
    check(solver.forward_dynamics(in, external, add_rows, out, forces));
    return {.out = {.vdot = out.vdot.template cast<double>(),
                    .reaction = out.reaction.template cast<double>()},
            .force = force(),
            .generalized = generalized()};
  }

 private:
  static void check(Status status) {
    if (status != Status::kOk) throw Error(to_string(status));
  }

  // The rows of a ball and of a weld: against B's origin along A's axes, then the turn of A about
  // its z, x and y.
  Eigen::VectorXd force() const {
    std::vector<double> values;
    std::size_t first = 0;
    for (const maximal::ConstraintRecord& loop : loops) {
      const auto mu = [&](std::size_t i) { return static_cast<double>(forces.mu[first + i]); };
      for (const std::size_t i : {0u, 1u, 2u}) values.push_back(-mu(i));
      if (row_count(loop) == 6) {
        for (const std::size_t i : {4u, 5u, 3u}) values.push_back(mu(i));
      }
      first += static_cast<std::size_t>(row_count(loop));
    }
    return Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size()));
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
ClosedEngine engine(const ClosedCase& mechanism) {
  return [work = std::make_shared<Workspace<T>>(mechanism)](const DenseInput& in) {
    return work->answer(in);
  };
}

}  // namespace

ClosedEngine make_closed_engine(const ClosedCase& mechanism, EvalScalar scalar) {
  return scalar == EvalScalar::kFloat ? engine<float>(mechanism) : engine<double>(mechanism);
}

}  // namespace lockstep::host
