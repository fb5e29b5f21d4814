// host::methods::PartStepper of the table that all tests share, compiled as test_steppers.hpp says.
#pragma once

#include "core/maximal/test_mechanism.hpp"
#include "methods/part_stepper.hpp"

namespace lockstep::test {

template <class T>
class TestParts {
 public:
  using Core = host::methods::PartStepper<TestTable<T>, 16, 64>;
  using State = typename Core::State;
  using Loads = typename Core::Loads;
  using Settings = host::methods::PartSettings<T>;

  explicit TestParts(const TestTable<T>& table);
  ~TestParts();

  Status assign(const host::methods::PartTable& table);
  Status assign(const contact::Scene<T>& scene);
  Status step(State& state, const Loads& loads, const Settings& settings);
  // The parts of each colour from the last to the first.
  Status step_backwards(State& state, const Loads& loads, const Settings& settings);
  ConstraintErrors<T> errors() const;

  const auto& impulse() const { return core_->impulse(); }
  const auto& contacts() const { return core_->contacts(); }
  int sweeps() const { return core_->sweeps(); }

 private:
  std::unique_ptr<Core> core_;
};

extern template class TestParts<double>;
extern template class TestParts<float>;

}  // namespace lockstep::test
