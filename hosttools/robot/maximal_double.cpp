// What solves and steps any mechanism on the host, in double: one object, because all of it shares
// the core's Lagrange.
#include "robot/mechanism_robot.hpp"
#include "robot/method_stepping.hpp"

namespace lockstep::host {

template class MechanismRobot<double>;
template std::unique_ptr<MaximalStepping<double>> make_stepping(const Mechanism&,
                                                                const HostMechanism<double>&,
                                                                const MaximalSettings&);

}  // namespace lockstep::host
