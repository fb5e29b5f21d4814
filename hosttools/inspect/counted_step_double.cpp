#include "inspect/counted_step.hpp"

namespace lockstep::host {

template class HostBoundedStepper<CountedNumber<double>, kHostBodies,
                                  contact::Plane<CountedNumber<double>>>;

}  // namespace lockstep::host
