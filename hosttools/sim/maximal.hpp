// A mechanism that moves in maximal coordinates, step by step, on the host.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "lockstep/hash.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "mechanism/mechanism.hpp"

namespace lockstep::host::sim {

// All that the future depends on. A float's value is held exactly.
struct MaximalState {
  std::uint64_t step = 0;
  std::uint64_t hash = Hash().value();  // over every x and v since step 0
  Eigen::VectorXd x, v;
};

// How rows are solved: along the tree; one constraint at a time; all in one matrix; acyclic parts
// in turn. Forces by the first and the third only.
enum class Method { kLinear, kIterative, kDense, kParts };

struct MaximalSettings {
  double dt = 0.001;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stabilization stabilization = Stabilization::kBaumgarte;
  Method method = Method::kLinear;
  std::optional<double> tolerance;  // given: by impulses, rows within it; else by forces
  int threads = 1;                  // of parts
  std::array<double, 3> gravity = {0, 0, -9.81};
};

// A state, what acts from it on, and what its constraints make of it.
struct MaximalMoment {
  Eigen::VectorXd x, v, force;
  // of the step that led here, as forces; zero at first
  Eigen::VectorXd lambda;
  Eigen::VectorXd touching;  // on the bodies, along their velocities; none if nothing can touch
  Eigen::VectorXd bounds;    // along each bounded coordinate
  ConstraintErrors<double> drift;
};

struct MaximalOutcome {
  int dropped = 0, unsolved = 0;  // contacts without room, and solves that stopped short
  double seconds = 0;             // that stepping took, without watching
  ConstraintErrors<double> drift;   // the largest after any step
};

// Forces on the bodies from a state on; `force` comes with the mechanism's constant ones.
using Drive = std::function<void(std::uint64_t step, const Eigen::VectorXd& x,
                                 const Eigen::VectorXd& v, Eigen::VectorXd& force)>;
using MaximalWatch = std::function<void(std::uint64_t step, const MaximalMoment& now)>;

// Advances the state by so many steps in the scalar T. `watch` is called for the first state, the
// last, and those whose step `every` divides. `drive` may be empty. Throws Error.
template <class T>
MaximalOutcome simulate_maximal(const Mechanism& mechanism, const MaximalSettings& settings,
                                std::uint64_t steps, std::uint64_t every, MaximalState& state,
                                const Drive& drive, const MaximalWatch& watch);

}  // namespace lockstep::host::sim
