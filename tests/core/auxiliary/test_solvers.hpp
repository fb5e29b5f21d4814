// The core's steppers and solvers over one table, which tests share. Their verbs are not inline as
// the core's are, so that `extern template` keeps them out of the tests' own objects: they are
// compiled in test_bounded_double.cpp, test_bounded_float.cpp and test_closed.cpp.
#pragma once

#include <functional>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"
#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/table_model.hpp"
#include "model/tree_rows.hpp"

namespace lockstep::test {

inline constexpr Room kTestRoom = {.rows = 32, .contacts = 8};
inline constexpr int kTestRows = 16;  // of loops and couplings
template <class T>
using TestModel = TableModel<T, 16>;

// With the loops and couplings of a tree.
template <class T>
class TestBounded : public BoundedStepper<TestModel<T>, T, kTestRoom, host::TreeRows<T>> {
  using Base = BoundedStepper<TestModel<T>, T, kTestRoom, host::TreeRows<T>>;

 public:
  using typename Base::Demands;
  using typename Base::Input;
  using typename Base::Settings;
  using OwnRows = std::function<Status(typename Base::Collected&)>;

  TestBounded(const TestModel<T>& model, const host::Tree& tree,
              std::span<const JointLimits<T>> limits, const Scene<T>& scene = {});
  [[nodiscard]] Status step(Input& state, const Settings& settings, const Demands& demands = {});
  [[nodiscard]] Status step(Input& state, const Settings& settings, const Demands& demands,
                            const OwnRows& own);
};

template <class T>
class TestClosed : public ClosedStepper<TestModel<T>, T, kTestRows, host::TreeRows<T>> {
  using Base = ClosedStepper<TestModel<T>, T, kTestRows, host::TreeRows<T>>;

 public:
  using typename Base::Input;
  using typename Base::Settings;

  TestClosed(const TestModel<T>& model, const host::Tree& tree);
  [[nodiscard]] Status step(Input& state, const Settings& settings,
                            const DriveGains<T>& drives = {});
};

template <class T>
class TestClosedSolver : public ClosedSolver<TestModel<T>, T, kTestRows, host::TreeRows<T>> {
  using Base = ClosedSolver<TestModel<T>, T, kTestRows, host::TreeRows<T>>;

 public:
  using typename Base::Forces;
  using typename Base::Input;
  using typename Base::Output;

  TestClosedSolver(const TestModel<T>& model, const host::Tree& tree);
  [[nodiscard]] Status forward_dynamics(const Input& in, Output& out, Forces& forces);
};

extern template class TestBounded<double>;
extern template class TestBounded<float>;
extern template class TestClosed<double>;
extern template class TestClosed<float>;
extern template class TestClosedSolver<double>;
extern template class TestClosedSolver<float>;

}  // namespace lockstep::test
