#include "sim/maximal.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "robot/mechanism_robot.hpp"
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
        robot_(mechanism),
        stepping_(make_stepping(mechanism, robot_.table(), settings)) {
    robot_.set(start.x, start.v);
    robot_.set_loads({}, settings.gravity);
    require(robot_.evaluate());
    drift_ = to_double(robot_.solver().drift());
  }

  std::uint64_t step() const { return step_; }
  std::uint64_t hash() const { return hash_.value(); }
  Eigen::VectorXd x() const { return robot_.state.x.template cast<double>(); }
  Eigen::VectorXd v() const { return robot_.state.v.template cast<double>(); }
  Eigen::VectorXd lambda() const { return stepping_->lambda(); }
  Eigen::VectorXd touching() const { return stepping_->touching(); }
  Eigen::VectorXd bounds() const { return stepping_->bounds(); }
  int dropped() const { return dropped_; }  // at most, in any step
  int unsolved() const { return stepping_->unsolved(); }
  const ConstraintErrors<double>& drift() const { return drift_; }

  void set_force(const Eigen::VectorXd& force) { robot_.loads.force = force.cast<T>(); }

  void advance() {
    robot_.state.time = static_cast<T>(time_of(step_, dt_));
    const Status status = stepping_->step(robot_.state, robot_.loads);
    if (!has_moved(status)) require(status);
    ++step_;
    hash_.add_all(robot_.state.x);
    hash_.add_all(robot_.state.v);
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
  MechanismRobot<T> robot_;
  std::unique_ptr<MaximalStepping<T>> stepping_;
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
