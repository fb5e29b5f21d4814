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

// Whether the joints stay within their limits, but for a hair on the way.
template <class T>
bool stays_within(const Tree& tree, const Scenario& scenario, const Plan<T>& plan) {
  TwinController<T> controller(tree, scenario, plan);
  PlantTwin<T> twin(*plan.robot, tree, plan.bounds, plan.plant);
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
      if (!is_within(state, kOnTheWay)) return false;
    }
    return is_within(state, 0);
  } catch (const BrokeOff&) {
    return false;
  }
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
  if (scenario.is_driven || scenario.drive != Drive::kTrack || scenario.limits != Limits::kUrdf ||
      bounds.position || stays_within(robot.computed, scenario, *plan)) {
    return plan;
  }
  Scenario smaller = scenario;
  for (int i = 1; i <= kHalvings; ++i) {
    smaller.wave.amplitude = i == kHalvings ? 0 : smaller.wave.amplitude / 2;
    auto fitting = make_plan<T>(robot, start, bounds, smaller);
    if (!stays_within(robot.computed, smaller, *fitting)) continue;
    scenario = smaller;
    note =
        "the motors are too weak to swing it by 0.3 rad within its limits, so the amplitude is " +
        write_number(smaller.wave.amplitude) + "; a scenario with 'amplitude' sets another";
    return fitting;
  }
  note =
      "the motors are too weak to keep it within its limits, so it has stops there, as with "
      "--limits position,effort";
  return nullptr;
}

template std::unique_ptr<Plan<float>> make_plan(const RobotTrees&, const Start&, const Bounds&,
                                                const Scenario&);
template std::unique_ptr<Plan<double>> make_plan(const RobotTrees&, const Start&, const Bounds&,
                                                 const Scenario&);
template std::unique_ptr<Plan<float>> make_fitting_plan(const RobotTrees&, const Start&,
                                                        const Bounds&, Scenario&, std::string&);
template std::unique_ptr<Plan<double>> make_fitting_plan(const RobotTrees&, const Start&,
                                                         const Bounds&, Scenario&, std::string&);

}  // namespace lockstep::host::hil
