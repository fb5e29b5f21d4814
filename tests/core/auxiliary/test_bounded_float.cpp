#include "core/auxiliary/test_bounded_body.hpp"

namespace lockstep::test {

template class TestBounded<float>;
template class MachineStepper<float>;

}  // namespace lockstep::test
