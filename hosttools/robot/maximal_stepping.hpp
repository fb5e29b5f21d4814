// One of the core's steppers of mechanisms, with one of its methods, as the user chose them.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "lockstep/rows/pivoting.hpp"
#include "mechanism/table.hpp"
#include "robot/kept_forces.hpp"

namespace lockstep::host {

// How rows are solved: along the tree; one constraint at a time; all in one matrix; acyclic parts
// in turn. Forces by the first and the third only.
enum class Method { kLinear, kIterative, kDense, kParts };

struct MaximalSettings {
  double dt = 0.001;
  Integrator integrator = Integrator::kRungeKutta4;
  Stabilization stabilization = Stabilization::kProjection;
  Method method = Method::kLinear;
  std::optional<double> tolerance;  // given: by impulses, rows within it; else by forces
  std::optional<int> max_solves;    // of an impulse step, or sweeps of parts
  int threads = 1;                  // of parts
  // of the linear method; Newton's of free bodies by forces alone
  RowSolver contact_solver = RowSolver::kPivoting;
  std::array<double, 3> gravity = {0, 0, -9.81};
};

// Of all steps so far.
struct StepCounts {
  int unsolved = 0;   // solves of contacts that stopped short
  int split = 0;      // steps that were taken in parts: the whole was too long for the motion
  int too_long = 0;   // of these, whose smallest part was still too long
  int reordered = 0;  // steps in another order of elimination than the mechanism's own

  StepCounts& operator+=(const StepCounts& other) {
    unsolved += other.unsolved, split += other.split;
    too_long += other.too_long, reordered += other.reordered;
    return *this;
  }
};

template <class T>
class MaximalStepping {
 public:
  using State = maximal::State<HostMechanism<T>>;
  using Loads = maximal::Loads<HostMechanism<T>>;

  virtual ~MaximalStepping() = default;
  virtual Status step(State& state, const Loads& loads) = 0;
  // Of the last step, as forces.
  virtual Eigen::VectorXd lambda() const = 0;
  virtual ConstraintErrors<T> errors() const = 0;
  // Of contacts on the bodies, along their velocities, and of bounds, each along its coordinate;
  // none if there are no such things.
  virtual Eigen::VectorXd touching() const { return {}; }
  virtual Eigen::VectorXd bounds() const { return {}; }
  virtual int dropped() const { return 0; }  // contacts of the last step that found no room
  virtual StepCounts counts() const { return {}; }
  // What the next step starts from, beside the state.
  virtual std::vector<KeptForce> kept() const { return {}; }
  virtual Status recall(const std::vector<KeptForce>&) { return Status::kOk; }
  // After kSingular: the constraint that has no pivot; kNone if that is not known.
  virtual int singular_constraint() const { return kNone; }
};

// Mechanism and table have to outlive it. Throws Error.
template <class T>
std::unique_ptr<MaximalStepping<T>> make_stepping(const Mechanism& mechanism,
                                                  const HostMechanism<T>& table,
                                                  const MaximalSettings& settings);

}  // namespace lockstep::host
