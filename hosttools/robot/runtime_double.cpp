// What solves, steps and drives any robot on the host, in double: one object, because all of it
// shares most of its code.
#include "robot/plant.hpp"

namespace lockstep::host {

template class HostSolver<double>;
template class HostClosedSolver<double>;
template class HostConstrainedSolver<double>;
template class HostInverseDynamics<double>;
template class HostBoundedStepper<double>;
template class HostStepping<double>;
template class HostPlant<double>;
template class HostController<double>;

}  // namespace lockstep::host
