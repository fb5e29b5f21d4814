#include "eval/closed_engine.hpp"

#include <memory>

#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "robot/robot.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

void check(Status status) {
  if (status != Status::kOk) throw Error(to_string(status));
}

// What a motion needs beyond the efforts: the constraints' forces over the joints' velocities.
template <class T>
Eigen::VectorXd beyond(HostRobot<T, HostInverseDynamics<T>>& robot, const DenseInput& state,
                       const Eigen::VectorXd& vdot) {
  robot.set(state);
  robot.in.vdot = vdot.cast<T>();
  check(robot.solver.inverse_dynamics(robot.in, robot.external, robot.out));
  return (robot.out - state.tau.cast<T>()).template cast<double>();
}

template <class T>
struct ClosedWorkspace {
  RotorMap map;
  TreeRows<T> rows;
  int count;                                      // of the rows
  HostRobot<T, HostConstrainedSolver<T>> closed;  // with rotors merged
  HostRobot<T> open;                              // with all joints
  HostRobot<T, HostInverseDynamics<T>> inverse;   // the same
  typename HostConstrainedSolver<T>::Forces forces;

  ClosedWorkspace(const Tree& tree, const Tree& merged)
      : map(tree, merged),
        rows(merged),
        count(row_count(merged)),
        closed(merged),
        open(tree),
        inverse(tree) {}

  ClosedAnswer answer(const DenseInput& state) {
    closed.set(map.to_merged(state));
    check(closed.solver.forward_dynamics(closed.in, closed.external, rows, closed.out, forces));
    ClosedAnswer answer = {
        .out = {.vdot = map.whole_v(closed.out.vdot.template cast<double>()), .reaction = {}},
        .mu = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(forces.mu.data(), count)
                  .template cast<double>(),
        .generalized = {},
        .redundant = forces.redundant};
    answer.generalized = beyond(inverse, state, answer.out.vdot);
    answer.out.reaction = reactions(state, answer.generalized);
    return answer;
  }

 private:
  // Merged rotors have joints too: theirs are what the open tree passes on under all forces.
  Matrix6Xd reactions(const DenseInput& state, const Eigen::VectorXd& constraint) {
    const Matrix6Xd left = closed.answer().reaction;
    if (closed.model->body_count() == open.model->body_count()) return left;
    open.set(state);
    open.in.tau = (state.tau + constraint).cast<T>();
    check(open.solver.forward_dynamics(open.in, open.external, open.out));
    Matrix6Xd result = map.whole_columns(left);
    for (Eigen::Index i = 0; i < result.cols(); ++i) {
      if (map.is_rotor(i)) result.col(i) = open.out.reaction.col(i).template cast<double>();
    }
    return result;
  }
};

template <class T>
ClosedEngine engine(const Tree& tree, const Tree& merged) {
  return [work = std::make_shared<ClosedWorkspace<T>>(tree, merged)](const DenseInput& in) {
    return work->answer(in);
  };
}

template <class T>
ClosedEngine by_bodies(const Tree& tree, EvalScalar scalar) {
  return [solve = maximal_engine(tree, scalar),
          inverse =
              std::make_shared<HostRobot<T, HostInverseDynamics<T>>>(tree)](const DenseInput& in) {
    ClosedAnswer answer = solve(in);
    answer.generalized = beyond(*inverse, in, answer.out.vdot);
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
