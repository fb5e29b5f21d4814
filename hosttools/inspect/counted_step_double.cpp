// The host's stepper with numbers that count, on a plane: an object of its own, it takes long.
#include "inspect/counted.hpp"
#include "robot/bounded_tables.hpp"

namespace lockstep::host {

template class HostBoundedStepper<CountedNumber<double>, contact::Plane<CountedNumber<double>>>;

}  // namespace lockstep::host
