#include "core/test_joint_stepper.hpp"

namespace lockstep::test {

template class TestJointStepper<AllJoints, double>;
template class TestJointStepper<AllJoints, float>;

}  // namespace lockstep::test
