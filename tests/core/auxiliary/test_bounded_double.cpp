#include "core/auxiliary/test_bounded_body.hpp"

namespace lockstep::test {

template class TestBounded<double>;
template class MachineStepper<double>;

}  // namespace lockstep::test
