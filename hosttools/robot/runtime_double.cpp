// What solves and steps any robot on the host, in double: one object, because all of it shares most
// of its code.
#include "robot/stepping.hpp"

namespace lockstep::host {

template class HostSolver<double>;
template class HostClosedSolver<double>;
template class HostConstrainedSolver<double>;
template class HostBoundedStepper<double>;
template class HostStepping<double>;

}  // namespace lockstep::host
