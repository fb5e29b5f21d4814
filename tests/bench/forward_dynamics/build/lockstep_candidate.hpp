// Lockstep itself, by a static or a table model.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "candidate.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"

namespace lockstep::bench {

template <class Model, class T>
class LockstepCandidate : public Candidate {
 public:
  using ThisSolver = Solver<Model, T>;

  LockstepCandidate() : LockstepCandidate(std::make_unique<ThisSolver>(), nullptr) {}
  explicit LockstepCandidate(std::unique_ptr<Model> table)
      : LockstepCandidate(std::make_unique<ThisSolver>(*table), std::move(table)) {}

  void set(const State& state) override {
    const auto put = [](const std::vector<double>& from, auto& to) {
      for (std::size_t i = 0; i < from.size(); ++i)
        to[static_cast<int>(i)] = static_cast<T>(from[i]);
    };
    put(state.q, in_.q), put(state.v, in_.v), put(state.tau, in_.tau);
    in_.gravity = {T(0), T(0), T(kGravity)};
  }

  void run(int times) override {
    for (int i = 0; i < times; ++i) {
      benchmark::ClobberMemory();  // the input may have changed: nothing moves out of the loop
      if (solver_->forward_dynamics(in_, out_) != Status::kOk) std::abort();
    }
  }

  std::vector<double> vdot() const override {
    return {out_.vdot.data(), out_.vdot.data() + out_.vdot.size()};
  }

 private:
  LockstepCandidate(std::unique_ptr<ThisSolver> solver, std::unique_ptr<Model>&& table)
      : table_(std::move(table)),
        solver_(std::move(solver)),
        in_(solver_->make_input()),
        out_(solver_->make_output()) {}

  std::unique_ptr<Model> table_;
  std::unique_ptr<ThisSolver> solver_;
  typename ThisSolver::Input in_;
  typename ThisSolver::Output out_;
};

}  // namespace lockstep::bench
