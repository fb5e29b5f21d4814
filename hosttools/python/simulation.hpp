// A run of `lockstep sim` that a script takes step by step: the same bits and the same hash.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "options/bounds.hpp"
#include "sim/simulation.hpp"

namespace lockstep::host::python {

struct RunOptions {
  double dt = 0.001;
  std::string integrator = "midpoint", scalar = "double", stabilization = "baumgarte";
  std::optional<Eigen::VectorXd> q, v;  // where it starts; left out: as `lockstep sim` does
  std::optional<double> drop;           // m, above the ground
  std::optional<Hold> hold;
  std::array<double, 3> gravity = {0, 0, -9.81};
  BoundWords bounds;
  std::string restore;  // a state that save() or --save wrote
};

class Run {
 public:
  // `file` is the robot's, for errors. Throws Error.
  Run(std::shared_ptr<const RobotTrees> robot, std::string file, const RunOptions& options);

  // Holds these torques, and moves on by so many steps. Throws Error; steps before it were taken.
  void step(std::uint64_t count);
  Eigen::VectorXd torques;  // of the steps to come, unless drives hold the robot

  // Drives hold q (left out: where it is now) from the next step on; or nothing holds it any more.
  void hold(const Hold& gains, const std::optional<Eigen::VectorXd>& q);
  void release();

  const SimState& state() const { return state_; }
  void set_state(const SimState& state);
  void save(const std::string& path) const;

  double dt() const { return settings_.dt; }
  bool is_held() const { return settings_.hold.has_value(); }
  double time() const { return time_of(state_.step, settings_.dt); }
  // Of the last step: what acted, in all columns of `lockstep sim --csv`, and the forces of it.
  const JointMoment& moment() const { return moment_; }
  const Bounded& bounded() const { return bounded_; }
  const BoundedOutcome& outcome() const { return outcome_; }
  std::uint64_t limited() const { return limited_; }
  Mechanics energy() const;
  std::vector<RecordColumn> columns() const { return record_.columns(); }
  std::vector<double> row() const { return record_.row(moment_, energy()); }

 private:
  void begin();  // from state_, with settings_
  void read();

  const std::shared_ptr<const RobotTrees> robot_;
  const std::string file_, scalar_;
  sim::SimSettings settings_;
  const Bounded bounded_;
  const JointRecord record_;
  SimState state_;
  JointMoment moment_;
  BoundedOutcome outcome_;
  std::uint64_t limited_ = 0;
  std::unique_ptr<sim::SteppedRun> run_;
};

}  // namespace lockstep::host::python
