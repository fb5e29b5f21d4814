#include "hosttools/methods/test_methods.hpp"

#include "core/maximal/test_run_body.hpp"

namespace lockstep::test {

template class TestSolver<Dense<double>>;
template class TestStepper<Dense<double>>;
template class TestImpulses<Dense<double>>;
template class TestImpulses<Sweep<double>>;
template class TestImpulses<Dense<float>>;
template class TestImpulses<Sweep<float>>;

}  // namespace lockstep::test
