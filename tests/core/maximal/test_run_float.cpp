#include "core/maximal/test_run_body.hpp"
#include "core/maximal/touching.hpp"

namespace lockstep::test {

template class TestSolver<Sparse<float>>;
template class TestStepper<Sparse<float>>;
template class TestImpulses<Sparse<float>>;
template class TestRun<float>;
template struct Touching<float>;

}  // namespace lockstep::test
