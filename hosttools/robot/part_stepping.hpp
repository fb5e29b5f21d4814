// A mechanism stepped part by part, on as many threads as one likes: the bits do not depend on it.
#pragma once

#include "robot/maximal_stepping.hpp"

namespace lockstep::host {

template <class T>
class PartStepping : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;

  PartStepping(const Mechanism& mechanism, const HostMechanism<T>& table,
               const MaximalSettings& settings);
  ~PartStepping() override;

  Status step(State& state, const Loads& loads) override;
  Eigen::VectorXd lambda() const override;
  ConstraintErrors<T> errors() const override;
  Eigen::VectorXd touching() const override;
  int dropped() const override;
  int sweeps() const;  // of the last step

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace lockstep::host
