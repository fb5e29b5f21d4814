#include "eval/engine.hpp"

#include <memory>
#include <string>

#include "eval/closed_engine.hpp"
#include "lockstep/direct.hpp"
#include "robot/robot.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

// H then has some 2800 rows: 60 MB, a minute or so per state.
constexpr std::size_t kMaxDenseBodies = 256;

template <class Solver, class T>
Engine core_engine(const Tree& tree) {
  return [run = std::make_shared<HostRobot<T, Solver>>(tree)](const DenseInput& in) {
    run->set(in);
    const Status status = run->solver.forward_dynamics(run->in, run->external, run->out);
    if (status != Status::kOk) throw Error(to_string(status));
    return run->answer();
  };
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
