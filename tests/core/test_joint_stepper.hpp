// The core's JointStepper with verbs that are not inline as the core's are: that of AllJoints,
// which several tests have, is compiled once, in test_joint_stepper.cpp.
#pragma once

#include "lockstep/integrate/joint_stepper.hpp"
#include "support/all_joints.hpp"

namespace lockstep::test {

template <class Model, class T>
class TestJointStepper : public JointStepper<Model, T> {
  using Base = JointStepper<Model, T>;

 public:
  using Base::Base;
  using typename Base::Input;
  using typename Base::Wrenches;

  [[nodiscard]] Status step(Input& state, T dt, Integrator integrator);
  [[nodiscard]] Status step(Input& state, const Wrenches& external, T dt, Integrator integrator);
};

template <class Model, class T>
Status TestJointStepper<Model, T>::step(Input& state, T dt, Integrator integrator) {
  return Base::step(state, dt, integrator);
}
template <class Model, class T>
Status TestJointStepper<Model, T>::step(Input& state, const Wrenches& external, T dt,
                                        Integrator integrator) {
  return Base::step(state, external, dt, integrator);
}

extern template class TestJointStepper<AllJoints, double>;
extern template class TestJointStepper<AllJoints, float>;

}  // namespace lockstep::test
