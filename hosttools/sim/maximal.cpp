#include "sim/maximal.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "mechanism/solver.hpp"
#include "sim/maximal_stepping.hpp"
#include "sim/simulation.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

template <class T>
class Runner {
 public:
  Runner(const Mechanism& mechanism, const MaximalSettings& settings, const MaximalState& start)
      : mechanism_(mechanism),
        dt_(settings.dt),
        step_(start.step),
        hash_(start.hash),
        table_(to_table<T>(mechanism)),
        stepping_(make_stepping(mechanism, *table_, settings)) {
    const auto solver = std::make_unique<HostLagrange<T>>(*table_);
    state_ = solver->make_state();
    loads_ = solver->make_loads();
    state_.x = start.x.cast<T>();
    state_.v = start.v.cast<T>();
    for (int i = 0; i < 3; ++i) {
      loads_.gravity[i] = static_cast<T>(settings.gravity[static_cast<std::size_t>(i)]);
    }
    require(solver->evaluate(state_));
    drift_ = to_double(solver->drift());
  }

  std::uint64_t step() const { return step_; }
  std::uint64_t hash() const { return hash_.value(); }
  Eigen::VectorXd x() const { return state_.x.template cast<double>(); }
  Eigen::VectorXd v() const { return state_.v.template cast<double>(); }
  Eigen::VectorXd lambda() const { return stepping_->lambda(); }
  Eigen::VectorXd touching() const { return stepping_->touching(); }
  Eigen::VectorXd bounds() const { return stepping_->bounds(); }
  int dropped() const { return dropped_; }  // at most, in any step
  int unsolved() const { return stepping_->unsolved(); }
  const ConstraintErrors<double>& drift() const { return drift_; }

  void set_force(const Eigen::VectorXd& force) { loads_.force = force.cast<T>(); }

  void advance() {
    state_.time = static_cast<T>(time_of(step_, dt_));
    require(stepping_->step(state_, loads_));
    ++step_;
    hash_.add_all(state_.x);
    hash_.add_all(state_.v);
    drift_ = to_double(stepping_->drift());
    dropped_ = std::max(dropped_, stepping_->dropped());
  }

 private:
  static ConstraintErrors<double> to_double(const ConstraintErrors<T>& drift) {
    return {static_cast<double>(drift.position), static_cast<double>(drift.velocity)};
  }

  void require(Status status) const {
    if (status == Status::kOk) return;
    throw Error("mechanism " + quote(mechanism_.name) + ": step " + std::to_string(step_) + " (" +
                write_number(time_of(step_, dt_)) + " s): " + to_string(status) +
                (status == Status::kSingular
                     ? "; its constraints depend on one another: lockstep doctor tells which"
                     : "; a smaller --dt or smaller forces may help"));
  }

  const Mechanism& mechanism_;
  double dt_;
  std::uint64_t step_;
  Hash hash_;
  std::unique_ptr<HostMechanism<T>> table_;
  std::unique_ptr<MaximalStepping<T>> stepping_;
  typename MaximalStepping<T>::State state_;
  typename MaximalStepping<T>::Loads loads_;
  int dropped_ = 0;
  ConstraintErrors<double> drift_;
};

void raise(ConstraintErrors<double>& most, const ConstraintErrors<double>& now) {
  most.position = std::max(most.position, now.position);
  most.velocity = std::max(most.velocity, now.velocity);
}

}  // namespace

template <class T>
MaximalOutcome simulate_maximal(const Mechanism& mechanism, const MaximalSettings& settings,
                                std::uint64_t steps, std::uint64_t every, MaximalState& state,
                                const Drive& drive, const MaximalWatch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto runner = std::make_unique<Runner<T>>(mechanism, settings, state);
  const Eigen::VectorXd constant = Eigen::Map<const Eigen::VectorXd>(
      mechanism.forces.data(), static_cast<Eigen::Index>(mechanism.forces.size()));
  MaximalMoment now;
  now.force = constant;
  runner->set_force(now.force);
  MaximalOutcome outcome = {.drift = runner->drift()};
  std::chrono::duration<double> watching{};
  const auto begin = Clock::now();
  for (std::uint64_t left = steps;; --left) {
    if (drive) {
      now.force = constant;
      drive(runner->step(), runner->x(), runner->v(), now.force);
      runner->set_force(now.force);
    }
    if (left == steps || left == 0 || runner->step() % every == 0) {
      const auto stop = Clock::now();
      now.x = runner->x();
      now.v = runner->v();
      now.lambda = runner->lambda();
      now.touching = runner->touching();
      now.bounds = runner->bounds();
      now.drift = runner->drift();
      watch(runner->step(), now);
      watching += Clock::now() - stop;
    }
    if (left == 0) break;
    runner->advance();
    raise(outcome.drift, runner->drift());
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin - watching).count();
  outcome.dropped = runner->dropped();
  outcome.unsolved = runner->unsolved();
  state.step = runner->step();
  state.hash = runner->hash();
  state.x = runner->x();
  state.v = runner->v();
  return outcome;
}

template MaximalOutcome simulate_maximal<float>(const Mechanism&, const MaximalSettings&,
                                                std::uint64_t, std::uint64_t, MaximalState&,
                                                const Drive&, const MaximalWatch&);
template MaximalOutcome simulate_maximal<double>(const Mechanism&, const MaximalSettings&,
                                                 std::uint64_t, std::uint64_t, MaximalState&,
                                                 const Drive&, const MaximalWatch&);

}  // namespace lockstep::host::sim
