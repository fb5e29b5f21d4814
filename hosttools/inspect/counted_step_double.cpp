#include "inspect/counted_step.hpp"

namespace lockstep::host {

template class sim::HostBoundedStepper<CountedNumber<double>, kHostBodies,
                                       contact::Plane<CountedNumber<double>>>;

}  // namespace lockstep::host
