// What solves, steps and drives any robot on the host, in float: one object, because all of it
// shares most of its code.
#include "robot/plant.hpp"

namespace lockstep::host {

template class HostSolver<float>;
template class HostClosedSolver<float>;
template class HostConstrainedSolver<float>;
template class HostInverseDynamics<float>;
template class HostBoundedStepper<float>;
template class HostStepping<float>;
template class HostPlant<float>;
template class HostController<float>;

}  // namespace lockstep::host
