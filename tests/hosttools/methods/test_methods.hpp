// The dense and the iterative method of the table that all tests share, compiled as
// test_steppers.hpp says.
#pragma once

#include "core/maximal/test_mechanism.hpp"
#include "methods/dense_system.hpp"
#include "methods/sweep_system.hpp"

namespace lockstep::test {

template <class T>
using Dense = host::methods::DenseSystem<TestTable<T>>;
template <class T>
using Sweep = host::methods::SweepSystem<TestTable<T>>;

extern template class TestSolver<Dense<double>>;
extern template class TestStepper<Dense<double>>;
extern template class TestImpulses<Dense<double>>;
extern template class TestImpulses<Sweep<double>>;
extern template class TestImpulses<Dense<float>>;
extern template class TestImpulses<Sweep<float>>;

}  // namespace lockstep::test
