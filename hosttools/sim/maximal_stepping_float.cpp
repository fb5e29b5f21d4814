#include "sim/method_stepping.hpp"

namespace lockstep::host::sim {

template std::unique_ptr<MaximalStepping<float>> make_stepping(const Mechanism&,
                                                               const HostMechanism<float>&,
                                                               const MaximalSettings&);

}  // namespace lockstep::host::sim
