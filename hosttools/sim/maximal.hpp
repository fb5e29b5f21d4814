// A mechanism that moves in maximal coordinates, step by step, on the host.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "robot/maximal_state_file.hpp"
#include "robot/maximal_stepping.hpp"

namespace lockstep::host::sim {

// A state, what acts from it on, and what its constraints make of it.
struct MaximalMoment {
  Eigen::VectorXd x, v, force;
  // of the step that led here, as forces; zero at first
  Eigen::VectorXd lambda;
  Eigen::VectorXd touching;  // on the bodies, along their velocities; none if nothing can touch
  Eigen::VectorXd bounds;    // along each bounded coordinate
  ConstraintErrors<double> errors;
  double work = 0;  // J, of constant forces and prescribed motions since the first state
  // J, in springs and armatures of a mechanism's rows that yield; a robot's are for who drives it
  double stored = 0, turning = 0;
};

struct MaximalOutcome {
  StepCounts counts = {};
  int dropped = 0;                  // contacts without room, at most at once
  double seconds = 0;               // that stepping took, without watching
  ConstraintErrors<double> errors;  // the largest after any step
};

// Forces on the bodies from a state on; `force` comes with the mechanism's constant ones, and
// `near` (Loads::near) empty.
using Drive =
    std::function<void(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                       Eigen::VectorXd& force, Eigen::VectorXd& near)>;
using MaximalWatch = std::function<void(std::uint64_t step, const MaximalMoment& now)>;

// Advances the state by so many steps in the scalar T. `watch` is called for the first state, the
// last, and those whose step `every` divides. `drive` may be empty. Throws Error.
template <class T>
MaximalOutcome simulate_maximal(const Mechanism& mechanism, const MaximalSettings& settings,
                                std::uint64_t steps, std::uint64_t every, MaximalState& state,
                                const Drive& drive, const MaximalWatch& watch);

}  // namespace lockstep::host::sim
