// What solves and steps any robot on the host, in float: one object, because the solvers share most
// of their code.
#include "robot/solvers.hpp"
#include "sim/host_stepping.hpp"

namespace lockstep::host {

template class HostSolver<float>;
template class HostClosedSolver<float>;
template class HostConstrainedSolver<float>;
template class sim::HostBoundedStepper<float>;
template class sim::HostStepping<HostModel<float>, float>;

}  // namespace lockstep::host
