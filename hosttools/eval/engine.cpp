#include "eval/engine.hpp"

#include <memory>
#include <string>

#include "eval/maximal_engine.hpp"
#include "lockstep/direct.hpp"
#include "robot/solvers.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

// H then has some 2800 rows: 60 MB, a minute or so per state.
constexpr std::size_t kMaxDenseBodies = 256;

// Everything a call needs, made once.
template <class Solver, class T>
struct Workspace {
  std::unique_ptr<HostModel<T>> model;
  Solver solver;
  typename Solver::Input in;
  typename Solver::Wrenches external;
  typename Solver::Output out;

  explicit Workspace(const Tree& tree)
      : model(to_table<T>(tree)),
        solver(*model),
        in(solver.make_input()),
        external(solver.make_wrenches()),
        out(solver.make_output()) {}

  DenseOutput answer(const DenseInput& state) {
    in.q = state.q.cast<T>();
    in.v = state.v.cast<T>();
    in.tau = state.tau.cast<T>();
    in.gravity = state.gravity.cast<T>();
    external = state.external.cast<T>();
    const Status status = solver.forward_dynamics(in, external, out);
    if (status != Status::kOk) throw Error(to_string(status));
    return {.vdot = out.vdot.template cast<double>(),
            .reaction = out.reaction.template cast<double>()};
  }
};

// On the heap, too large for a stack.
template <class Solver, class T>
Engine core_engine(const Tree& tree) {
  using Work = Workspace<Solver, T>;
  return [work = std::make_shared<Work>(tree)](const DenseInput& in) { return work->answer(in); };
}

Engine dense_engine(const Tree& tree) {
  if (tree.bodies.size() > kMaxDenseBodies) {
    throw Error("--method dense: takes cubic time and at most " + std::to_string(kMaxDenseBodies) +
                " bodies; choose another method");
  }
  return [bodies = tree.bodies](const DenseInput& in) {
    const DenseOutput out = solve_dense(bodies, in);
    if (!out.vdot.allFinite() || !out.reaction.allFinite()) {
      throw Error(to_string(Status::kOverflow));
    }
    return out;
  };
}

}  // namespace

Engine make_engine(const Tree& tree, EvalScalar scalar, EvalMethod method) {
  const bool in_float = scalar == EvalScalar::kFloat;
  switch (method) {
    case EvalMethod::kNullSpace:
      return in_float ? core_engine<HostSolver<float>, float>(tree)
                      : core_engine<HostSolver<double>, double>(tree);
    case EvalMethod::kDirect:
      return in_float ? core_engine<DirectSolver<HostModel<float>, float>, float>(tree)
                      : core_engine<DirectSolver<HostModel<double>, double>, double>(tree);
    case EvalMethod::kMaximal:
      return
          [answer = maximal_engine(tree, scalar)](const DenseInput& in) { return answer(in).out; };
    case EvalMethod::kDense: break;
  }
  if (in_float) throw Error("--method dense: computes in double only; leave out --scalar float");
  return dense_engine(tree);
}

}  // namespace lockstep::host
