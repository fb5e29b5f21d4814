// Forward dynamics of a robot with the loops and couplings that its model brings:
// (q, v, tau) -> (vdot, reactions, forces of the rows), every row an equality. An emitted model may
// bring its own straight line of all the operations around the k x k system; else a
// ConstrainedSolver does them, and gives the same bits. Rows of one's own, external wrenches and
// bounds on forces are for ConstrainedSolver.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <concepts>
#include <cstddef>

#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/auxiliary/row_errors.hpp"
#include "lockstep/limbs.hpp"

namespace lockstep {

// Stands for what solves the k x k system while compilers look for a straight line.
template <class T>
using SolveRows = bool (*)(const T* A, const T* b, const T* scale, T* mu);

template <class Model, class T>
concept StraightLoopsModel = requires(const PassInput<T>& ask, const PassOutput<T>& answer,
                                      SolveRows<T> solve) {
  { Model::template straight_loops<T>(ask, T(0), answer, solve) } -> std::same_as<PassCheck<T>>;
};

// The same with the rows of a loop side by side, where registers are that wide.
template <class Model, class T>
concept LoopsInLanesModel = kLimbsInLanes<T> &&
    requires(const PassInput<T>& ask, const PassOutput<T>& answer, SolveRows<T> solve) {
  {
    Model::template straight_loops_in_lanes<T>(ask, T(0), answer, solve)
    } -> std::same_as<PassCheck<T>>;
};

namespace auxiliary {

// Without a straight line: step by step.
template <class Model, class T, int kMaxRows, class Rows>
class ClosedRun {
 public:
  using Solver = ConstrainedSolver<Model, T, kMaxRows>;

  ClosedRun() = default;
  ClosedRun(const typename Solver::View& model, const Rows& rows) : rows_(rows), solver_(model) {}

  Status run(const typename Solver::View&, const typename Solver::Input& in,
             typename Solver::Output& out, typename Solver::Forces& forces) {
    if constexpr (may_yield<Rows>()) {
      return solver_.forward_dynamics(in, nullptr, rows_, errors_, out, forces);
    }
    const auto add = [&](Solver& to) { return add_rows(to, rows_); };
    return solver_.forward_dynamics(in, add, out, forces);
  }

 private:
  struct None {};

  [[no_unique_address]] Rows rows_;
  Solver solver_;
  [[no_unique_address]] std::conditional_t<may_yield<Rows>(),
                                           RowErrors<typename Solver::View, T, kMaxRows>, None>
      errors_;
};

template <class Model, class T, int kMaxRows, class Rows>
requires StraightLoopsModel<Model, T>
class ClosedRun<Model, T, kMaxRows, Rows> {
 public:
  using Solver = ConstrainedSolver<Model, T, kMaxRows>;
  using View = typename Solver::View;

  Status run(const View& model, const typename Solver::Input& in, typename Solver::Output& out,
             typename Solver::Forces& forces) {
    if (const Status status = check_border<T, View, typename Solver::Input>(
                                  model, in, static_cast<const typename Solver::Wrenches*>(nullptr))
                                  .status(0);
        status != Status::kOk) {
      return status;
    }
    const PassInput<T> ask = {.q = in.q.data(),
                              .v = in.v.data(),
                              .tau = in.tau.data(),
                              .gravity = in.gravity.data(),
                              .external = nullptr};
    Status status = Status::kOk;
    const auto solve = [&](const T* A, const T* b, const T* scale, T* mu) {
      status = solve_rows(A, b, scale);
      for (int i = 0; i < kMaxRows; ++i) mu[i] = solution_.mu[at(i)];
      return status == Status::kOk;
    };
    static constexpr T kGyration2 = squared_gyration<T>(View::bodies());
    const PassOutput<T> answer = {vdot_.data(), reaction_.data(), lambda_.data()};
    const PassCheck<T> verdict = [&] {
      if constexpr (LoopsInLanesModel<Model, T>) {
        return Model::template straight_loops_in_lanes<T>(ask, kGyration2, answer, solve);
      } else {
        return Model::template straight_loops<T>(ask, kGyration2, answer, solve);
      }
    }();
    if (!verdict.positive) return Status::kSingular;
    if (status != Status::kOk) return status;
    if (!verdict.finite) return Status::kOverflow;
    hand_out(vdot_.data(), out.vdot);
    hand_out(reaction_.data(), out.reaction);
    hand_out(lambda_.data(), out.lambda);
    forces = solution_;
    return Status::kOk;
  }

 private:
  // A comes as its lower triangle, row by row.
  Status solve_rows(const T* A, const T* b, const T* scale) {
    constexpr int kEntries = kMaxRows * (kMaxRows + 1) / 2;
    if (!all_finite(A, kEntries) || !all_finite(b, kMaxRows) || !all_finite(scale, kMaxRows)) {
      return Status::kOverflow;
    }
    std::array<bool, at(kMaxRows)> held;
    system_.count = kMaxRows;
    for (int i = 0, entry = 0; i < kMaxRows; ++i) {
      held[at(i)] = rows::is_held(A[entry + i], scale[i], rows::kHeldByTree<T>);
      system_.b[at(i)] = b[i] + T(0);
      for (int j = 0; j <= i; ++j, ++entry) {
        const T value = held[at(i)] || held[at(j)] ? T(0) : A[entry] + T(0);
        system_.A[at(i)][at(j)] = system_.A[at(j)][at(i)] = value;
      }
    }
    const Status status = equalities_.solve(system_, solution_);
    return status == Status::kNotConverged ? Status::kOk : status;
  }

  template <class Values>
  static void hand_out(const T* from, Values& to) {
    for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] = from[i] + T(0);
  }

  typename Solver::System system_;
  rows::EqualitySolver<T, kMaxRows> equalities_;
  typename Solver::Forces solution_;
  std::array<T, at(View::kMaxDofs)> vdot_;
  std::array<T, at(6 * View::kMaxBodies)> reaction_;
  std::array<T, at(View::kMaxMultipliers)> lambda_;
};

}  // namespace auxiliary

// Model and T as for ConstrainedSolver. Rows: a class with ModelRows' visit, for a table.
template <class Model, class T, int kMaxRows = ModelRows<Model, T>::kCount,
          class Rows = ModelRows<Model, T>>
class ClosedSolver : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using Forces = rows::Solution<T, kMaxRows>;

  ClosedSolver() requires View::kIsStatic = default;
  ClosedSolver(const View& model, const Rows& rows) : Problem<View, T>(model), run_(model, rows) {}

  // Returns a status; on any but kOk the outputs are as they were. Rows that contradict each other
  // have an answer too; the violation of `forces` tells.
  [[nodiscard]] Status forward_dynamics(const Input& in, Output& out, Forces& forces) {
    return run_.run(this->model(), in, out, forces);
  }

 private:
  auxiliary::ClosedRun<Model, T, kMaxRows, Rows> run_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
