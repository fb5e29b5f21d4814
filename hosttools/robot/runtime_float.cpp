// What solves and steps any robot on the host, in float: one object, because all of it shares most
// of its code.
#include "robot/stepping.hpp"

namespace lockstep::host {

template class HostSolver<float>;
template class HostClosedSolver<float>;
template class HostConstrainedSolver<float>;
template class HostBoundedStepper<float>;
template class HostStepping<float>;

}  // namespace lockstep::host
