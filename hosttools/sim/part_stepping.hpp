// A mechanism stepped part by part, on as many threads as one likes: the bits do not depend on it.
#pragma once

#include <memory>

#include "lockstep/maximal/part_stepper.hpp"
#include "mechanism/table.hpp"
#include "sim/maximal.hpp"

namespace lockstep::host::sim {

template <class T>
class PartStepping {
 public:
  using State = maximal::State<HostMechanism<T>>;
  using Loads = typename maximal::Lagrange<HostMechanism<T>>::Loads;

  // The table is the mechanism's, and has to outlive it. Throws Error.
  PartStepping(const Mechanism& mechanism, const HostMechanism<T>& table,
               const MaximalSettings& settings);
  ~PartStepping();

  Status step(State& state, const Loads& loads);

  // Of the last step: forces of the rows, and how far the state is from them.
  Eigen::VectorXd lambda() const;
  maximal::Drift<T> drift() const;
  int sweeps() const;

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace lockstep::host::sim
