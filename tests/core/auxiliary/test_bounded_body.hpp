// The verbs of the bounded steppers that tests share, for the objects that compile them.
#pragma once

#include "core/auxiliary/bounded_machine.hpp"

namespace lockstep::test {

template <class T>
TestBounded<T>::TestBounded(const TestModel<T>& model, const host::Tree& tree,
                            std::span<const JointLimits<T>> limits, const Scene<T>& scene)
    : Base(model, host::TreeRows<T>(tree), limits, scene) {}
template <class T>
Status TestBounded<T>::step(Input& state, const Settings& settings, const Demands& demands) {
  return Base::step(state, settings, demands);
}
template <class T>
Status TestBounded<T>::step(Input& state, const Settings& settings, const Demands& demands,
                            const OwnRows& own) {
  return Base::step(state, settings, demands, own);
}

template <class T>
MachineStepper<T>::MachineStepper(const Scene<T>& scene) : Base(scene) {}
template <class T>
Status MachineStepper<T>::step(Input& state, const Settings& settings, const Demands& demands) {
  return Base::step(state, settings, demands);
}

}  // namespace lockstep::test
