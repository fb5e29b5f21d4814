// Forward dynamics of a robot with loops and couplings at run time, its rotors merged: states and
// answers are of all joints.
#pragma once

#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "robot/robot.hpp"
#include "text/error.hpp"

namespace lockstep::host {

struct ClosedAnswer {
  DenseOutput out;
  Eigen::VectorXd mu;           // a force a row, as the rows stand in the merged tree
  Eigen::VectorXd generalized;  // the same over the joints' velocities
  int redundant = 0;            // rows that others settle
};

// Throws Error with the reason alone: the caller knows which state it was.
inline void require_ok(Status status) {
  if (status != Status::kOk) throw Error(to_string(status));
}

// What a motion needs beyond the efforts: the constraints' forces over the joints' velocities.
template <class T>
Eigen::VectorXd constraint_efforts(HostRobot<T, HostInverseDynamics<T>>& robot,
                                   const DenseInput& state, const Eigen::VectorXd& vdot) {
  robot.set(state);
  robot.in.vdot = vdot.cast<T>();
  require_ok(robot.solver.inverse_dynamics(robot.in, robot.external, robot.out));
  return (robot.out - state.tau.cast<T>()).template cast<double>();
}

// For the heap, as HostRobot. `merged` is the tree itself, or with its rotors merged.
template <class T>
struct ClosedRobot {
  RotorMap map;
  TreeRows<T> rows;
  int count;                                      // of the rows
  HostRobot<T, HostConstrainedSolver<T>> closed;  // with rotors merged
  HostRobot<T> open;                              // with all joints
  HostRobot<T, HostInverseDynamics<T>> inverse;   // the same
  typename HostConstrainedSolver<T>::Forces forces;

  ClosedRobot(const Tree& tree, const Tree& merged)
      : map(tree, merged),
        rows(merged),
        count(row_count(merged)),
        closed(merged),
        open(tree),
        inverse(tree) {}

  ClosedAnswer answer(const DenseInput& state) {
    closed.set(map.to_merged(state));
    require_ok(
        closed.solver.forward_dynamics(closed.in, closed.external, rows, closed.out, forces));
    ClosedAnswer answer = {
        .out = {.vdot = map.whole_v(closed.out.vdot.template cast<double>()), .reaction = {}},
        .mu = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(forces.mu.data(), count)
                  .template cast<double>(),
        .generalized = {},
        .redundant = forces.redundant};
    answer.generalized = constraint_efforts(inverse, state, answer.out.vdot);
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
    require_ok(open.solver.forward_dynamics(open.in, open.external, open.out));
    Matrix6Xd result = map.whole_columns(left);
    for (Eigen::Index i = 0; i < result.cols(); ++i) {
      if (map.is_rotor(i)) result.col(i) = open.out.reaction.col(i).template cast<double>();
    }
    return result;
  }
};

}  // namespace lockstep::host
