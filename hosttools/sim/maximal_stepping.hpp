// One of the core's steppers of mechanisms, with one of its methods, as the user chose them.
#pragma once

#include <memory>

#include "mechanism/table.hpp"
#include "sim/maximal.hpp"

namespace lockstep::host::sim {

template <class T>
class MaximalStepping {
 public:
  using State = maximal::State<HostMechanism<T>>;
  using Loads = maximal::Loads<HostMechanism<T>>;

  virtual ~MaximalStepping() = default;
  virtual Status step(State& state, const Loads& loads) = 0;
  // Of the last step, as forces.
  virtual Eigen::VectorXd lambda() const = 0;
  virtual maximal::Drift<T> drift() const = 0;
};

// The table has to outlive it.
template <class T>
std::unique_ptr<MaximalStepping<T>> make_stepping(const HostMechanism<T>& table,
                                                  const MaximalSettings& settings);

}  // namespace lockstep::host::sim
