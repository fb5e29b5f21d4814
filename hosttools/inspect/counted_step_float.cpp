#include "inspect/counted_step.hpp"

namespace lockstep::host {

template class sim::HostBoundedStepper<CountedNumber<float>, kHostBodies,
                                       contact::Plane<CountedNumber<float>>>;

}  // namespace lockstep::host
