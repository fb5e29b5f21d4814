#include "eval/closed_engine.hpp"

#include <memory>

#include "model/loop_rows.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

template <class T>
ClosedEngine engine(const Tree& tree, const Tree& merged) {
  return [work = std::make_shared<ClosedRobot<T>>(tree, merged)](const DenseInput& in) {
    return work->answer(in);
  };
}

template <class T>
ClosedEngine by_bodies(const Tree& tree, EvalScalar scalar) {
  return [solve = maximal_engine(tree, scalar),
          inverse =
              std::make_shared<HostRobot<T, HostInverseDynamics<T>>>(tree)](const DenseInput& in) {
    ClosedAnswer answer = solve(in);
    answer.generalized = constraint_efforts(*inverse, in, answer.out.vdot);
    return answer;
  };
}

}  // namespace

ClosedEngine make_closed_engine(const Tree& tree, const Tree& merged, EvalScalar scalar,
                                EvalMethod method) {
  const bool in_float = scalar == EvalScalar::kFloat;
  if (method == EvalMethod::kMaximal) {
    return in_float ? by_bodies<float>(tree, scalar) : by_bodies<double>(tree, scalar);
  }
  if (row_count(merged) > kHostRows) {
    throw Error("robot '" + tree.name + "': its loops and couplings have " +
                std::to_string(row_count(merged)) + " rows, and at most " +
                std::to_string(kHostRows) + " can act; choose loop types with fewer rows");
  }
  return in_float ? engine<float>(tree, merged) : engine<double>(tree, merged);
}

}  // namespace lockstep::host
