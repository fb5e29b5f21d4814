// What solves and steps any mechanism on the host, in float: one object, because all of it shares
// the core's Lagrange.
#include "robot/mechanism_robot.hpp"
#include "robot/method_stepping.hpp"

namespace lockstep::host {

template class MechanismRobot<float>;
template std::unique_ptr<MaximalStepping<float>> make_stepping(const Mechanism&,
                                                               const HostMechanism<float>&,
                                                               const MaximalSettings&);

}  // namespace lockstep::host
