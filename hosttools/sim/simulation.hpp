// A robot that moves under torques, step by step, in joint space: the plant of the firmware, on the
// host and for any robot, so that the hash of a run is the one a board would report; or one with
// loops and couplings, with limits and friction of joints, with contacts.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/integrate/settings.hpp"
#include "robot/devices.hpp"
#include "robot/joint_record.hpp"
#include "robot/state_file.hpp"
#include "sim/torques.hpp"

namespace lockstep::host::sim {

// The torques from a state on, by the user's own law; it may throw.
using Law = std::function<Eigen::VectorXd(std::uint64_t step, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd& v)>;

// Efforts on the whole robot's joints from outside, in the steps from .. until - 1.
struct Push {
  Eigen::VectorXd effort;
  std::uint64_t from = 0, until = 0;
};

// A motor that gives nothing any more from a step on.
struct DeadMotor {
  std::string joint;
  std::uint64_t step = 0;
};

// By the words of --integrator: euler, euler_middle, rk4, midpoint.
Integrator integrator_named(const std::string& name);

// Nothing drives the robot, or one of hold, torques and law does.
struct SimSettings {
  double dt = 0.001;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stabilization stabilization = Stabilization::kBaumgarte;  // of loops
  std::array<double, 3> gravity = {0, 0, -9.81};
  bool limits = true;  // torques stay within the joints' efforts
  Bounds bounds;       // of the motion
  std::optional<Hold> hold;
  std::optional<Torques> torques;
  Law law = {};
  std::optional<Push> push = {};
  std::vector<DeadMotor> dead = {};
  // Around the plant; a hold is then a controller that reads sensors once a step.
  const Devices* devices = nullptr;

  bool is_driven() const { return hold || torques || law || push || devices != nullptr; }
};

struct SimOutcome {
  double seconds = 0;               // that stepping took, without watching
  std::uint64_t limited = 0;        // torques that were cut to their joint's limit
  ConstraintErrors<double> errors;  // of loops and couplings: the largest after any step
  BoundedOutcome bounded;
  std::uint64_t without_midpoint = 0;  // steps that found none and went by Euler
};

// A run that its caller takes from step to step.
class SteppedRun {
 public:
  virtual ~SteppedRun() = default;

  virtual std::uint64_t step() const = 0;
  // Of the step to come or, if drives hold the robot, of the last one.
  virtual Eigen::VectorXd tau() const = 0;
  virtual ConstraintErrors<double> errors() const = 0;
  virtual std::uint64_t without_midpoint() const = 0;
  // What drivetrains and sensors record of the last measurement and the step after it.
  virtual std::vector<double> device_row() const = 0;
  // All but the torques and the reference.
  virtual void read(JointMoment& now) const = 0;
  virtual void keep(SimState& state) const = 0;

  // Finds the torques for the step to come. Throws Error, and what a law throws.
  virtual void drive() = 0;
  // One step more, which only tells what drives would do: the end of a run.
  virtual void foresee() = 0;
  // Returns how many torques were cut. Throws Error; the state is then as it was.
  virtual std::uint64_t advance(BoundedOutcome& outcome) = 0;
};

// In the scalar T. Robot and settings outlive the run. Throws Error.
template <class T>
std::unique_ptr<SteppedRun> make_stepped_run(const RobotTrees& robot, const SimSettings& settings,
                                             const SimState& start);

using Watch = std::function<void(std::uint64_t step, const JointMoment& now)>;

// Advances the state by so many steps in the scalar T. `watch` is called for the first state, the
// last, and those whose step `every` divides. Throws Error.
template <class T>
SimOutcome simulate(const RobotTrees& robot, const SimSettings& settings, std::uint64_t steps,
                    std::uint64_t every, SimState& state, const Watch& watch);

}  // namespace lockstep::host::sim
