#include "core/maximal/test_run_body.hpp"
#include "core/maximal/touching.hpp"

namespace lockstep::test {

template class TestSolver<Sparse<double>>;
template class TestStepper<Sparse<double>>;
template class TestImpulses<Sparse<double>>;
template class TestRun<double>;
template struct Touching<double>;
template struct Touching<double, 2>;

}  // namespace lockstep::test
