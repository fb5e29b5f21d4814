#include "core/auxiliary/test_solvers.hpp"

namespace lockstep::test {

template <class T>
TestClosed<T>::TestClosed(const TestModel<T>& model, const host::Tree& tree)
    : Base(model, host::TreeRows<T>(tree)) {}
template <class T>
Status TestClosed<T>::step(Input& state, const Settings& settings, const DriveGains<T>& drives) {
  return Base::step(state, settings, drives);
}

template <class T>
TestClosedSolver<T>::TestClosedSolver(const TestModel<T>& model, const host::Tree& tree)
    : Base(model, host::TreeRows<T>(tree)) {}
template <class T>
Status TestClosedSolver<T>::forward_dynamics(const Input& in, Output& out, Forces& forces) {
  return Base::forward_dynamics(in, out, forces);
}

template class TestClosed<double>;
template class TestClosed<float>;
template class TestClosedSolver<double>;
template class TestClosedSolver<float>;

}  // namespace lockstep::test
