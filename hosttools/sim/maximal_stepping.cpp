#include "sim/maximal_stepping.hpp"

#include "lockstep/maximal/dense_system.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/sweep_system.hpp"

namespace lockstep::host::sim {

namespace {

constexpr int kDenseRows = 1024;    // 8 MB of matrix
constexpr int kMostSweeps = 10000;  // of the iterative method, a step

template <class T, class Method>
class ByForces : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;

  ByForces(const HostMechanism<T>& table, const MaximalSettings& settings)
      : stepper_(std::make_unique<Stepper>(table)) {
    settings_.dt = static_cast<T>(settings.dt);
    settings_.integrator = settings.integrator;
    settings_.stabilization = settings.stabilization;
  }
  Status step(State& state, const Loads& loads) override {
    return stepper_->step(state, loads, settings_);
  }
  Eigen::VectorXd lambda() const override {
    return stepper_->solution().lambda.template cast<double>();
  }
  maximal::Drift<T> drift() const override { return stepper_->drift(); }

 private:
  using Stepper = maximal::LagrangeStepper<HostMechanism<T>, Method>;
  std::unique_ptr<Stepper> stepper_;
  maximal::StepSettings<T> settings_;
};

template <class T, class Method>
class ByImpulses : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;

  ByImpulses(const HostMechanism<T>& table, const MaximalSettings& settings)
      : stepper_(std::make_unique<Stepper>(table)), dt_(settings.dt) {
    settings_.dt = static_cast<T>(settings.dt);
    settings_.tolerance = static_cast<T>(*settings.tolerance);
    if (!Method::kIsExact) settings_.max_solves = kMostSweeps;
  }
  Status step(State& state, const Loads& loads) override {
    return stepper_->step(state, loads, settings_);
  }
  Eigen::VectorXd lambda() const override {
    return stepper_->impulse().template cast<double>() / dt_;
  }
  maximal::Drift<T> drift() const override { return stepper_->drift(); }

 private:
  using Stepper = maximal::ImpulseStepper<HostMechanism<T>, Method>;
  std::unique_ptr<Stepper> stepper_;
  double dt_;
  maximal::ImpulseSettings<T> settings_;
};

}  // namespace

template <class T>
std::unique_ptr<MaximalStepping<T>> make_stepping(const HostMechanism<T>& table,
                                                  const MaximalSettings& settings) {
  using Linear = maximal::System<HostMechanism<T>>;
  using Dense = maximal::DenseSystem<HostMechanism<T>, kDenseRows>;
  using Sweep = maximal::SweepSystem<HostMechanism<T>>;
  const bool dense = settings.method == Method::kDense;
  if (!settings.tolerance) {
    if (dense) return std::make_unique<ByForces<T, Dense>>(table, settings);
    return std::make_unique<ByForces<T, Linear>>(table, settings);
  }
  if (dense) return std::make_unique<ByImpulses<T, Dense>>(table, settings);
  if (settings.method == Method::kIterative) {
    return std::make_unique<ByImpulses<T, Sweep>>(table, settings);
  }
  return std::make_unique<ByImpulses<T, Linear>>(table, settings);
}

template std::unique_ptr<MaximalStepping<float>> make_stepping(const HostMechanism<float>&,
                                                               const MaximalSettings&);
template std::unique_ptr<MaximalStepping<double>> make_stepping(const HostMechanism<double>&,
                                                                const MaximalSettings&);

}  // namespace lockstep::host::sim
