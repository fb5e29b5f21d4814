// Steps a mechanism along its tree, and in another order of elimination where a constraint loses
// its pivot on the way. Which order is a matter of the state alone: a run that was saved and
// restored has the same bits.
#pragma once

#include <deque>

#include "mechanism/standing.hpp"
#include "robot/maximal_stepping.hpp"

namespace lockstep::host {

template <class T>
class StandingStepping : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;
  using Own = std::unique_ptr<MaximalStepping<T>>;
  using Make = Own (*)(const Mechanism&, const HostMechanism<T>&, const MaximalSettings&);

  // Throws Error, as `make` does.
  StandingStepping(const Mechanism& mechanism, const HostMechanism<T>& table,
                   const MaximalSettings& settings, Make make)
      : watch_(mechanism),
        settings_(settings),
        make_(make),
        usual_(make(mechanism, table, settings)),
        last_(usual_.get()) {}

  Status step(State& state, const Loads& loads) override {
    const Mechanism* const asked = watch_.watched().empty() ? nullptr : look(state);
    last_ = asked == nullptr ? usual_.get() : &stepping_for(*asked);
    reordered_ += asked == nullptr ? 0 : 1;
    return last_->step(state, loads);
  }
  Eigen::VectorXd lambda() const override { return last_->lambda(); }
  ConstraintErrors<T> errors() const override { return last_->errors(); }
  Eigen::VectorXd touching() const override { return last_->touching(); }
  Eigen::VectorXd bounds() const override { return last_->bounds(); }
  int dropped() const override { return last_->dropped(); }
  StepCounts counts() const override {
    StepCounts all = usual_->counts();
    for (const Other& other : others_) all += other.stepping->counts();
    all.reordered += reordered_;
    return all;
  }
  int singular_constraint() const override { return last_->singular_constraint(); }

 private:
  struct Other {
    Mechanism mechanism;
    std::unique_ptr<HostMechanism<T>> table;
    Own stepping;
  };

  const Mechanism* look(const State& state) {
    const Eigen::VectorXd poses = state.x.template cast<double>();
    return watch_.look({poses.data(), static_cast<std::size_t>(poses.size())});
  }
  MaximalStepping<T>& stepping_for(const Mechanism& asked) {
    for (const Other& other : others_) {
      if (other.mechanism.constraints == asked.constraints) return *other.stepping;
    }
    Other& other = others_.emplace_back(Other{asked, to_table<T>(asked), {}});
    other.stepping = make_(other.mechanism, *other.table, settings_);
    return *other.stepping;
  }

  StandingWatch watch_;
  MaximalSettings settings_;
  Make make_;
  Own usual_;
  std::deque<Other> others_;  // steppings refer to them
  MaximalStepping<T>* last_;
  int reordered_ = 0;
};

}  // namespace lockstep::host
