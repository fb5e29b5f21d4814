// The core's Lagrange over any mechanism on the host. Its verbs are not inline, so that those who
// call them do not compile them again: solver.cpp does.
#pragma once

#include "mechanism/table.hpp"

namespace lockstep::host {

template <class T>
class HostLagrange : public maximal::Lagrange<HostMechanism<T>> {
  using Base = maximal::Lagrange<HostMechanism<T>>;

 public:
  using Base::Base;
  using typename Base::Loads;
  using typename Base::Solution;
  using typename Base::State;

  Status factor(const State& state);
  Status accelerations(const State& state, const Loads& loads, Solution& out);
  Status evaluate(const State& state);
};

template <class T>
Status HostLagrange<T>::factor(const State& state) {
  return Base::factor(state);
}
template <class T>
Status HostLagrange<T>::accelerations(const State& state, const Loads& loads, Solution& out) {
  return Base::accelerations(state, loads, out);
}
template <class T>
Status HostLagrange<T>::evaluate(const State& state) {
  return Base::evaluate(state);
}

extern template class HostLagrange<float>;
extern template class HostLagrange<double>;

}  // namespace lockstep::host
