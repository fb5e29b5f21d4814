#include "inspect/counted_step.hpp"

namespace lockstep::host {

template class HostBoundedStepper<CountedNumber<float>, kHostBodies,
                                  contact::Plane<CountedNumber<float>>>;

}  // namespace lockstep::host
