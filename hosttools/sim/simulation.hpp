// A robot that moves under torques, step by step, in joint space: the plant of the firmware, on the
// host and for any robot, so that the hash of a run is the one a board would report; or one with
// loops and couplings, with ends and friction of joints, with contacts.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "lockstep/hash.hpp"
#include "lockstep/integrate/settings.hpp"
#include "model/tree.hpp"
#include "oracle/world.hpp"
#include "sim/bounds.hpp"
#include "sim/torques.hpp"

namespace lockstep::host::sim {

// All that the future depends on. A float's value is held exactly.
struct SimState {
  std::uint64_t step = 0;
  std::uint64_t hash = Hash().value();  // over every q and v since step 0
  Eigen::VectorXd q, v;
  Eigen::VectorXd held;         // q at step 0
  std::vector<KeptForce> kept;  // of Gauss-Seidel
};

// tau = kp (held - q) - kd v + what holds the robot up at q. A floating base has no motor.
struct Hold {
  double kp = 0, kd = 0;
};

struct SimSettings {
  double dt = 0.001;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stabilization stabilization = Stabilization::kBaumgarte;  // of loops
  std::array<double, 3> gravity = {0, 0, -9.81};
  bool limits = true;   // torques stay within the joints' efforts
  BoundOptions bounds;  // of the motion
  std::optional<Hold> hold;
  std::optional<Torques> torques;
};

struct SimOutcome {
  double seconds = 0;            // that stepping took, without watching
  std::uint64_t limited = 0;     // torques that were cut to their joint's limit
  ConstraintErrors<double> drift;  // of loops and couplings: the largest after any step
  BoundedOutcome bounded;
};

// In seconds; where a second is a whole number of steps, the decimal nearest to it.
double time_of(std::uint64_t step, double dt);

// A state and the torques that act from it on; of loops and couplings, the forces of the rows in
// the step that led here, zero at first, and the errors; of bounds, a row of bounded_columns.
struct JointMoment : DenseInput {
  Eigen::VectorXd lambda, bounded;
  ConstraintErrors<double> drift;
};
using Watch = std::function<void(std::uint64_t step, const JointMoment& now)>;

// A robot as users speak of it, and as it is computed: with its rotors merged, or the same.
struct SimRobot {
  Tree whole, computed;
};

// Advances the state by so many steps in the scalar T. `watch` is called for the first state, the
// last, and those whose step `every` divides. Throws Error.
template <class T>
SimOutcome simulate(const SimRobot& robot, const SimSettings& settings, std::uint64_t steps,
                    std::uint64_t every, SimState& state, const Watch& watch);

}  // namespace lockstep::host::sim
