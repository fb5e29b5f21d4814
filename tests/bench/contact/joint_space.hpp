// Lockstep in joint space: a bounded stepper over a static or a table model, by any of its solvers.
#pragma once

#include "contact/contestant.hpp"
#include "lockstep/auxiliary/bounded_stepper.hpp"

namespace lockstep::bench {

template <class Stepper>
class JointSpace : public Contestant {
 public:
  template <class... Parts>
  explicit JointSpace(RowSolver solver, const Parts&... parts)
      : stepper_(std::make_unique<Stepper>(parts...)),
        state_(stepper_->make_input()),
        settings_{.dt = kStep, .solver = solver} {
    state_.gravity = {0, 0, kGravity};
  }

  void set(const State& state) override {
    put(state.q, state_.q), put(state.v, state_.v), put(state.tau, state_.tau);
    stepper_->forget();
  }
  void drive(const std::vector<double>& tau) override { put(tau, state_.tau); }
  bool step() override {
    status_ = stepper_->step(state_, settings_);
    return has_moved(status_);
  }
  void read(State& state) const override {
    state.q.assign(state_.q.begin(), state_.q.end());
    state.v.assign(state_.v.begin(), state_.v.end());
  }
  int iterations() const override { return stepper_->result().pivots + stepper_->result().sweeps; }
  bool stopped_short() const override { return status_ != Status::kOk; }
  double violation() const override { return stepper_->result().violation; }

 private:
  template <class To>
  static void put(const std::vector<double>& from, To& to) {
    std::copy(from.begin(), from.end(), to.begin());
  }

  std::unique_ptr<Stepper> stepper_;
  typename Stepper::Input state_;
  BoundedSettings<double> settings_;
  Status status_ = Status::kOk;
};

}  // namespace lockstep::bench
