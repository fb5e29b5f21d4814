// What solves and steps any robot on the host, in double: one object, because the solvers share
// most of their code.
#include "robot/solvers.hpp"
#include "sim/host_stepping.hpp"

namespace lockstep::host {

template class HostSolver<double>;
template class HostClosedSolver<double>;
template class HostConstrainedSolver<double>;
template class sim::HostBoundedStepper<double>;
template class sim::HostStepping<HostModel<double>, double>;

}  // namespace lockstep::host
