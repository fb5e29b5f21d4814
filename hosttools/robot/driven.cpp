// What drives any robot on the host, in float and double: the firmware's loop and inverse dynamics.
#include "robot/plant.hpp"

namespace lockstep::host {

template class HostInverseDynamics<float>;
template class HostInverseDynamics<double>;
template class HostPlant<float>;
template class HostPlant<double>;
template class HostController<float>;
template class HostController<double>;

}  // namespace lockstep::host
