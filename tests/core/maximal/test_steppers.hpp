// The core's steppers of one table that all tests share, each compiled in one object: the members
// here are not inline as the core's are, so that `extern template` keeps them out of the others.
#pragma once

#include <memory>

#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"

namespace lockstep::test {

template <class T>
using TestTable = maximal::TableMechanism<T, 48, 96, maximal::StandardTypes, 96>;
template <class T>
using Sparse = maximal::SparseSystem<TestTable<T>>;

// maximal::Lagrange of a stepper.
template <class Method>
class TestSolver {
 public:
  using Core = maximal::Lagrange<typename Method::Mechanism, Method>;
  using T = typename Core::T;
  using State = typename Core::State;
  using Loads = typename Core::Loads;
  using Solution = typename Core::Solution;

  explicit TestSolver(Core& core) : core_(core) {}

  State make_state() const;
  Loads make_loads() const;
  Solution make_solution() const;
  Status factor(const State& state, maximal::Form form = maximal::Form::kWithValues);
  void pull_back(const Gains<T>& gains);
  Status accelerations(const State& state, const Loads& loads, Solution& out);
  Status velocities(const State& state, const Loads& loads, Solution& out);
  Status velocity_changes(const typename Core::Velocities& impulse, Solution& out);
  Status displacements(Solution& out);
  Status evaluate(const State& state);
  ConstraintErrors<T> errors() const;

  const auto& position_errors() const { return core_.position_errors(); }
  const auto& velocity_errors() const { return core_.velocity_errors(); }
  int redundant_rows() const { return core_.redundant_rows(); }
  Core& core() { return core_; }

 private:
  Core& core_;
};

template <class Method>
class TestStepper {
 public:
  using Core = maximal::LagrangeStepper<typename Method::Mechanism, Method>;
  using T = typename Core::T;
  using State = typename Core::State;
  using Loads = typename Core::Loads;
  using Velocities = typename Core::Velocities;
  using Settings = StepSettings<T>;

  explicit TestStepper(const typename Method::Mechanism& table);
  ~TestStepper();
  TestStepper(TestStepper&&) noexcept;

  TestSolver<Method>& solver() { return solver_; }
  Status step(State& state, const Loads& loads, const Settings& settings);
  Status drag(State& state, const Loads& loads, const T& dt);
  Status strike(State& state, const Velocities& impulse);
  Status assemble(State& state, const Settings& settings);

  const auto& solution() const { return core_->solution(); }
  const auto& errors() const { return core_->errors(); }
  Core& core() { return *core_; }

 private:
  std::unique_ptr<Core> core_;
  TestSolver<Method> solver_;
};

template <class Method>
class TestImpulses {
 public:
  using Core = maximal::ImpulseStepper<typename Method::Mechanism, Method>;
  using T = typename Core::T;
  using State = typename Core::State;
  using Loads = typename Core::Loads;

  explicit TestImpulses(const typename Method::Mechanism& table);
  ~TestImpulses();
  TestImpulses(TestImpulses&&) noexcept;

  Status step(State& state, const Loads& loads, const maximal::ImpulseSettings<T>& settings);
  ConstraintErrors<T> errors() const;

  const auto& impulse() const { return core_->impulse(); }
  int solves() const { return core_->solves(); }
  Core& core() { return *core_; }

 private:
  std::unique_ptr<Core> core_;
};

extern template class TestSolver<Sparse<double>>;
extern template class TestSolver<Sparse<float>>;
extern template class TestStepper<Sparse<double>>;
extern template class TestStepper<Sparse<float>>;
extern template class TestImpulses<Sparse<double>>;
extern template class TestImpulses<Sparse<float>>;

}  // namespace lockstep::test
