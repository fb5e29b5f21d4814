// The record of a run in the loop: the steps of the host's twin, whose bits are the target's, in
// the columns of `lockstep sim`, and what they cost on the target.
#pragma once

#include <cstdint>
#include <optional>

#include "hil/plan.hpp"
#include "hil/tick_costs.hpp"
#include "robot/joint_record.hpp"

namespace lockstep::host::hil {

template <class T>
class Recorder : public StepWatch<T> {
 public:
  // The first state, the last, and those whose step `every` divides; `loads` as JointRecord has
  // them; `costs` of the target's ticks for a column of them, if it is not null.
  Recorder(const RobotTrees& robot, const Scenario& scenario, const Plan<T>& plan,
           std::uint64_t every, bool loads = false, TickCosts* costs = nullptr);

  void before(const EquippedHostPlant<T>& plant) override;
  void after(const EquippedHostPlant<T>& plant) override;

  void expect_last() { is_last_ = true; }  // the state that comes next is recorded in any case
  // Takes off what follows the last state that target and twin agreed on.
  void cut(std::uint64_t differing_step) { record_.cut(time_of(differing_step, dt_)); }

  const Record& record() const { return record_; }
  TickCosts* costs() const { return costs_; }

 private:
  JointReference reference_at(std::uint64_t step) const;

  const RobotTrees& robot_;
  const LoopSettings<T>& settings_;
  const double dt_;
  const std::uint64_t every_;
  const RotorMap map_;
  const Bounded bounded_;
  const JointRecord rows_;
  DeviceRow devices_;
  TickCosts* costs_;
  Record record_;
  JointMoment now_;
  bool is_last_ = false;
  std::optional<std::uint64_t> open_;  // the step whose torques are not known yet
};

}  // namespace lockstep::host::hil
