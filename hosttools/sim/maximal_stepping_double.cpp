#include "sim/method_stepping.hpp"

namespace lockstep::host::sim {

template std::unique_ptr<MaximalStepping<double>> make_stepping(const Mechanism&,
                                                                const HostMechanism<double>&,
                                                                const MaximalSettings&);

}  // namespace lockstep::host::sim
