// Lockstep on a closed robot, by a static or a table model.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "build/lockstep_candidate.hpp"
#include "candidate.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"

namespace lockstep::bench {

template <class Solver>
class ClosedCandidate : public Candidate {
 public:
  template <class... Arguments>
  explicit ClosedCandidate(const Arguments&... arguments)
      : solver_(std::make_unique<Solver>(arguments...)),
        in_(solver_->make_input()),
        out_(solver_->make_output()) {}

  void set(const State& state) override {
    const auto put = [](const std::vector<double>& from, auto& to) {
      for (std::size_t i = 0; i < from.size(); ++i) to[static_cast<int>(i)] = from[i];
    };
    put(state.q, in_.q), put(state.v, in_.v), put(state.tau, in_.tau);
    in_.gravity = {0, 0, kGravity};
  }
  void run(int times) override {
    for (int i = 0; i < times; ++i) {
      benchmark::ClobberMemory();  // the input may have changed: nothing moves out of the loop
      if (solver_->forward_dynamics(in_, out_, forces_) != Status::kOk) std::abort();
    }
  }
  std::vector<double> vdot() const override {
    return {out_.vdot.data(), out_.vdot.data() + out_.vdot.size()};
  }

 private:
  std::unique_ptr<Solver> solver_;
  typename Solver::Input in_;
  typename Solver::Output out_;
  typename Solver::Forces forces_;
};

// Couplings that were merged leave no rows: then the plain solver has it all.
template <class Model>
std::unique_ptr<Candidate> make_static_closed() {
  if constexpr (ModelRows<Model, double>::kCount == 0) {
    return std::make_unique<LockstepCandidate<Model, double>>();
  } else {
    return std::make_unique<ClosedCandidate<ClosedSolver<Model, double>>>();
  }
}

}  // namespace lockstep::bench
