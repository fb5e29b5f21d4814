// The energy of the host's plant over a run, which is that of the target's.
#pragma once

#include <limits>

#include "hil/plan.hpp"
#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "robot/hold_limit.hpp"
#include "robot/placement.hpp"

namespace lockstep::host::hil {

template <class T>
class EnergyWatch {
 public:
  // `tree` is the robot as it is computed.
  EnergyWatch(const Tree& tree, const Scenario& scenario, const Plan<T>& plan)
      : scenario_(scenario),
        plan_(plan),
        tree_(tree),
        map_(plan.whole, tree),
        pushed_(plan.bounds.position),
        off_(position_error(scenario.steps,
                            static_cast<double>(std::numeric_limits<T>::epsilon()))) {}

  // A state, the work of the torques before it, and what contacts that yield have stored.
  void add(const PlantState<T>& state, double work, double stored) {
    DenseInput now = rest(plan_.whole.bodies);
    now.q = map_.whole_q(to_double(state.q));
    now.v = map_.whole_v(to_double(state.v));
    now.gravity = Eigen::Vector3d(scenario_.gravity.data());
    pushed_ = pushed_ && is_outside(plan_.whole, now.q);
    if (pushed_) balance_.forgive();
    Mechanics own = mechanics(plan_.whole.bodies, now);
    own.potential += soft_row_energy(plan_.whole, now.q) + stored;
    balance_.add(own, work, now.q, now.v);
  }

  const Balance& balance() const { return balance_; }
  BalanceLine verdict() const {
    const auto where = [&] { return busiest_joint(plan_.whole, balance_.q(), balance_.v()); };
    return balance_line(balance_, off_, where, [&] { return remedy(); });
  }
  Error with_gain(const BrokeOff& error) const {
    return host::with_gain(error, balance_, off_, [&] { return remedy(); });
  }

 private:
  std::string remedy() const {
    const Eigen::VectorXd start = to_double(plan_.start.q);
    if (const auto period = scenario_.hold_period()) {
      const auto shakes = shaking({tree_, tree_}, start, {scenario_.kp, scenario_.kd}, *period);
      if (shakes) return *shakes;
    }
    Manner manner = manner_of(plan_.plant.integrator);
    manner.if_stiff = " or the 'integrator' midpoint";
    return stiff_joint(tree_, start, scenario_.dt(), manner)
        .value_or("give a higher --rate, or smaller gains or amplitudes");
  }

  const Scenario& scenario_;
  const Plan<T>& plan_;
  const Tree& tree_;
  const RotorMap map_;
  bool pushed_;  // back into the limits, from a start beyond them
  const double off_;
  Balance balance_;
};

}  // namespace lockstep::host::hil
