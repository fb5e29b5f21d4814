// Where an emitted mechanism begins.
#pragma once

#include <cstddef>

namespace lockstep::test {

template <class Model, class Stepper>
auto start_of(Stepper& stepper) {
  using T = typename Stepper::T;
  auto state = stepper.solver().make_state();
  for (std::size_t i = 0; i < Model::kInitialPoses.size(); ++i) {
    state.x[static_cast<Eigen::Index>(i)] = static_cast<T>(Model::kInitialPoses[i]);
  }
  for (std::size_t i = 0; i < Model::kInitialVelocities.size(); ++i) {
    state.v[static_cast<Eigen::Index>(i)] = static_cast<T>(Model::kInitialVelocities[i]);
  }
  return state;
}

}  // namespace lockstep::test
