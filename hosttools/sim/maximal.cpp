#include "sim/maximal.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "mechanism/soft_motion.hpp"
#include "robot/balance.hpp"
#include "robot/mechanism_robot.hpp"
#include "sim/simulation.hpp"
#include "sim/work.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

template <class T>
MaximalOutcome simulate_maximal(const Mechanism& mechanism, const MaximalSettings& settings,
                                std::uint64_t steps, std::uint64_t every, MaximalState& state,
                                const Drive& drive, const MaximalWatch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto robot = std::make_unique<MechanismRobot<T>>(mechanism);
  const auto stepping = make_stepping(mechanism, robot->table(), settings);
  const Eigen::VectorXd constant = Eigen::Map<const Eigen::VectorXd>(
      mechanism.forces.data(), static_cast<Eigen::Index>(mechanism.forces.size()));
  std::uint64_t step = state.step;
  Hash hash(state.hash);
  const auto time = [&] { return time_of(step, settings.dt); };
  const auto require = [&](Status status) {
    if (status == Status::kOk) return;
    const std::string told = "mechanism " + quote(mechanism.name) + ": step " +
                             std::to_string(step) + " (" + write_number(time()) + " s): ";
    if (status != Status::kSingular) throw BrokeOff(told + to_string(status));
    if (const int lost = stepping->singular_constraint(); lost != kNone) {
      throw Error(told + "constraint " + quote(mechanism.constraint_names[at(lost)]) +
                  ": the bodies below it cannot follow it; --method dense needs none below");
    }
    throw Error(told + to_string(status) +
                "; its constraints depend on one another: lockstep doctor tells which");
  };
  const auto take_state = [&](auto& to) {
    to.x = robot->state.x.template cast<double>();
    to.v = robot->state.v.template cast<double>();
  };
  robot->set(state.x, state.v);
  robot->set_loads(constant, settings.gravity);
  require(robot->evaluate());
  require(stepping->recall(state.kept));
  MechanismWork work(mechanism);
  std::optional<SoftMotion> soft;
  if (!drive) soft.emplace(mechanism, state.held);
  MaximalMoment now;
  now.force = constant;
  now.errors = ConstraintErrors<double>(robot->solver().errors());
  std::vector<T> near;
  MaximalOutcome outcome = {.errors = now.errors};
  std::chrono::duration<double> watching{};
  const auto begin = Clock::now();
  const auto look = [&] {
    const auto stop = Clock::now();
    now.lambda = stepping->lambda();
    now.touching = stepping->touching();
    now.bounds = stepping->bounds();
    watch(step, now);
    watching += Clock::now() - stop;
  };
  for (std::uint64_t left = steps;; --left) {
    const bool watched = left == steps || left == 0 || step % every == 0;
    const bool softly = soft && soft->any() && (watched || soft->turns());
    if (drive || watched || softly || work.any()) take_state(now);
    if (work.any()) {
      work.add(time(), settings.dt, now.x, now.v, stepping->lambda());
      now.work = work.total();
    }
    if (drive) {
      now.force = constant;
      Eigen::VectorXd values;
      drive(step, now.x, now.v, now.force, values);
      robot->loads.force = now.force.cast<T>();
      near.assign(values.begin(), values.end());
      robot->loads.near = near;
    }
    if (softly) {
      soft->look(time(), now.x, now.v);
      now.stored = soft->potential(), now.turning = soft->kinetic();
      near.assign(soft->values().begin(), soft->values().end());
      robot->loads.near = near;
    }
    if (watched) look();
    if (left == 0) break;
    robot->state.time = static_cast<T>(time());
    const Status status = stepping->step(robot->state, robot->loads);
    if (!has_moved(status)) {
      take_state(now);
      look();  // the last state tells most
      require(status);
    }
    ++step;
    hash.add_all(robot->state.x);
    hash.add_all(robot->state.v);
    now.errors = ConstraintErrors<double>(stepping->errors());
    outcome.errors.raise(now.errors);
    outcome.dropped = std::max(outcome.dropped, stepping->dropped());
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin - watching).count();
  outcome.counts = stepping->counts();
  state.step = step, state.hash = hash.value(), state.x = now.x, state.v = now.v;
  state.kept = stepping->kept();
  if (soft) state.held = soft->values();
  return outcome;
}

template MaximalOutcome simulate_maximal<float>(const Mechanism&, const MaximalSettings&,
                                                std::uint64_t, std::uint64_t, MaximalState&,
                                                const Drive&, const MaximalWatch&);
template MaximalOutcome simulate_maximal<double>(const Mechanism&, const MaximalSettings&,
                                                 std::uint64_t, std::uint64_t, MaximalState&,
                                                 const Drive&, const MaximalWatch&);

}  // namespace lockstep::host::sim
