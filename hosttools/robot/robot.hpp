// A robot at run time on the host: its table, a solver over it, what a call takes and what it
// gives. For the heap: far too large for a stack.
#pragma once

#include "oracle/dense.hpp"
#include "robot/solvers.hpp"

namespace lockstep::host {

template <class T, class Solver = HostSolver<T>>
struct HostRobot {
  std::unique_ptr<HostModel<T>> model;
  Solver solver;
  typename Solver::Input in;
  typename Solver::Wrenches external;
  decltype(solver.make_output()) out;

  // `more` is what the solver wants beside the model.
  template <class... More>
  explicit HostRobot(const Tree& tree, const More&... more)
      : model(to_table<T>(tree)),
        solver(*model, more...),
        in(solver.make_input()),
        external(solver.make_wrenches()),
        out(solver.make_output()) {}

  void set(const DenseInput& state) {
    in.q = state.q.cast<T>();
    in.v = state.v.cast<T>();
    if constexpr (requires { in.tau; }) in.tau = state.tau.cast<T>();
    in.gravity = state.gravity.cast<T>();
    external = state.external.cast<T>();
  }
  DenseOutput answer() const {
    return {.vdot = out.vdot.template cast<double>(),
            .reaction = out.reaction.template cast<double>()};
  }
};

}  // namespace lockstep::host
