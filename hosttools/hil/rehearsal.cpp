#include "hil/rehearsal.hpp"

#include <algorithm>
#include <cmath>

#include "hil/twin_controller.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

constexpr double kHair = 1e-4;  // rad or m, of rounding
// Of half the range, of 0.3 rad at most: where the first swing may lead.
constexpr double kOnTheWay = 0.1, kLargeRange = 0.3;
constexpr std::uint64_t kMostRehearsed = 10000;
constexpr int kHalvings = 6;

enum class Ending {
  kStays,     // the joints stay within their limits, but for a hair on the way
  kLeaves,    // they do not
  kRunsAway,  // there are numbers that no step leads on from
};

// `why` is told of what runs away.
template <class T>
Ending rehearse(const Tree& tree, const Scenario& scenario, const Plan<T>& plan, std::string& why) {
  TwinController<T> controller(tree, scenario, plan);
  PlantTwin<T> twin(*plan.robot, tree, plan.bounds, plan.plant, plan.devices);
  const auto is_within = [&](const PlantState<T>& state, double share) {
    bool within = true;
    for_single_joints(tree, [&](std::size_t i, const Counts& at) {
      const lockstep::Limits& limits = tree.bodies[i].limits;
      const auto q = static_cast<double>(state.q[static_cast<std::size_t>(at.q)]);
      const double room = std::min(kLargeRange, (limits.upper - limits.lower) / 2);
      const double hair = kHair + share * room;
      within &=
          limits.lower > limits.upper || (q >= limits.lower - hair && q <= limits.upper + hair);
    });
    return within;
  };
  try {
    const std::uint64_t steps = std::min(scenario.steps, kMostRehearsed);
    twin.set(plan.start);
    PlantState<T> state = plan.start;
    while (state.step < steps) {
      const auto count = std::min(scenario.steps_a_tick(), steps - state.step);
      state = twin.run(static_cast<std::uint32_t>(count), controller.torques(state));
      if (!is_within(state, kOnTheWay)) return Ending::kLeaves;
    }
    return is_within(state, 0) ? Ending::kStays : Ending::kLeaves;
  } catch (const BrokeOff& error) {
    why = error.what();
    return Ending::kRunsAway;
  }
}

bool has_limits(const Tree& tree) {
  bool any = false;
  for_single_joints(tree, [&](std::size_t i, const Counts&) {
    any = any || tree.bodies[i].limits.lower <= tree.bodies[i].limits.upper;
  });
  return any;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error("the usual motion, tried on this host, runs away: " + why +
              "; give a higher --rate, or a motion and gains of its own by --scenario "
              "(docs/scenarios.md)");
}

}  // namespace

template <class T>
std::unique_ptr<Plan<T>> make_plan(const RobotTrees& robot, const Start& start,
                                   const Bounds& bounds, const Scenario& scenario) {
  auto plan = make_plan<T>(robot.computed, scenario, bounds);
  plan->whole = robot.whole;
  plan->start.q = to_vector(Eigen::Matrix<T, Eigen::Dynamic, 1>(start.q.cast<T>()));
  plan->start.v = to_vector(Eigen::Matrix<T, Eigen::Dynamic, 1>(start.v.cast<T>()));
  return plan;
}

template <class T>
std::unique_ptr<Plan<T>> make_fitting_plan(const RobotTrees& robot, const Start& start,
                                           const Bounds& bounds, Scenario& scenario,
                                           std::string& note) {
  auto plan = make_plan<T>(robot, start, bounds, scenario);
  std::string why;
  if (scenario.is_driven || scenario.drive != Drive::kTrack || scenario.limits != Limits::kUrdf ||
      bounds.position || rehearse(robot.computed, scenario, *plan, why) == Ending::kStays) {
    return plan;
  }
  Scenario smaller = scenario;
  for (int i = 1; i <= kHalvings; ++i) {
    smaller.wave.amplitude = i == kHalvings ? 0 : smaller.wave.amplitude / 2;
    auto fitting = make_plan<T>(robot, start, bounds, smaller);
    if (rehearse(robot.computed, smaller, *fitting, why) != Ending::kStays) continue;
    scenario = smaller;
    note =
        "the motors are too weak to swing it by 0.3 rad within its limits, so the amplitude is " +
        write_number(smaller.wave.amplitude) + "; a scenario with 'amplitude' sets another";
    return fitting;
  }
  if (!has_limits(robot.computed)) refuse(why);
  note =
      "the motors are too weak to keep it within its limits, so it has stops there, as with "
      "--limits position,effort";
  return nullptr;
}

template <class T>
void require_end(const RobotTrees& robot, const Scenario& scenario, const Plan<T>& plan) {
  std::string why;
  if (rehearse(robot.computed, scenario, plan, why) == Ending::kRunsAway) refuse(why);
}

template void require_end(const RobotTrees&, const Scenario&, const Plan<float>&);
template void require_end(const RobotTrees&, const Scenario&, const Plan<double>&);
template std::unique_ptr<Plan<float>> make_plan(const RobotTrees&, const Start&, const Bounds&,
                                                const Scenario&);
template std::unique_ptr<Plan<double>> make_plan(const RobotTrees&, const Start&, const Bounds&,
                                                 const Scenario&);
template std::unique_ptr<Plan<float>> make_fitting_plan(const RobotTrees&, const Start&,
                                                        const Bounds&, Scenario&, std::string&);
template std::unique_ptr<Plan<double>> make_fitting_plan(const RobotTrees&, const Start&,
                                                         const Bounds&, Scenario&, std::string&);

}  // namespace lockstep::host::hil
