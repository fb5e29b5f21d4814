#include "hil/plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "hil/start.hpp"
#include "lockstep/link/frame.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host::hil {

namespace {

// Turns of 2^-32, whole turns dropped.
std::uint32_t to_phase(double turns) {
  return static_cast<std::uint32_t>(
      static_cast<std::int64_t>(std::llround((turns - std::floor(turns)) * 0x1p32)));
}

// As much of a wave as the range of a joint has room for, as near to where it was: a reference that
// is cut off at a limit has the joint run past it.
void keep_within(const lockstep::Limits& limits, Wave& wave) {
  if (!(limits.lower <= limits.upper)) return;
  wave.amplitude = std::min(wave.amplitude, (limits.upper - limits.lower) / 2);
  const double lowest = limits.lower + std::abs(wave.amplitude);
  wave.offset =
      std::clamp(wave.offset, lowest, std::max(lowest, limits.upper - std::abs(wave.amplitude)));
}

template <class T>
void set_waves(const Tree& tree, const Scenario& scenario, LoopSettings<T>& settings, double rate) {
  std::mt19937_64 random(scenario.seed);
  std::vector<std::uint64_t> drawn(tree.bodies.size());  // for every joint
  std::ranges::generate(drawn, std::ref(random));
  auto& waves = settings.waves;
  for_single_joints(tree, [&](std::size_t i, const Counts& at) {
    const std::string& joint = tree.joint_names[i];
    Wave wave = scenario.wave_of(joint);
    if (!scenario.joints.contains(joint) && scenario.drive != Drive::kTorque &&
        scenario.limits == Limits::kUrdf) {
      keep_within(tree.bodies[i].limits, wave);
    }
    const double turns = scenario.joints.contains(joint) ? wave.phase / (2 * std::numbers::pi)
                                                         : static_cast<double>(drawn[i]) * 0x1p-64;
    waves.offset[at.v] = static_cast<T>(wave.offset);
    waves.amplitude[at.v] = static_cast<T>(wave.amplitude);
    waves.increment[at.v] = to_phase(wave.frequency / rate);
    waves.phase[at.v] = to_phase(turns);
  });
}

template <class T>
void set_limits(const Tree& tree, const Scenario& scenario, LoopSettings<T>& settings) {
  if (scenario.limits == Limits::kNone) return;
  auto& limits = settings.limits;
  limits.effort_rate.setConstant(static_cast<T>(scenario.torque_rate));
  for_single_joints(tree, [&](std::size_t i, const Counts& at) {
    const lockstep::Limits& own = tree.bodies[i].limits;
    limits.effort[at.v] = static_cast<T>(own.effort);
    limits.velocity[at.v] = static_cast<T>(own.velocity);
    limits.lower[at.v] = static_cast<T>(own.lower);
    limits.upper[at.v] = static_cast<T>(own.upper);
  });
}

template <class T>
PlantState<T> start_state(const Tree& tree, const Scenario& scenario, const LoopRobot<T>& robot) {
  const auto rest = Problem<HostModel<T>, T>(robot.view()).make_input();
  PlantState<T> state = {0, Hash().value(), to_vector(rest.q), to_vector(rest.v),
                         to_vector(rest.tau)};
  for_single_joints(tree, [&](std::size_t i, const Counts& at) {
    state.q[static_cast<std::size_t>(at.q)] =
        static_cast<T>(scenario.start_of(tree.joint_names[i]));
  });
  return state;
}

template <class T>
void check_size(const Tree& tree) {
  Counts counts;
  for (const Body& body : tree.bodies) counts.add(body.joint);
  const std::size_t bytes =
      firmware::payload_bytes<T>(counts.q, counts.v, static_cast<int>(tree.bodies.size()));
  if (bytes <= link::kLargestPayload) return;
  throw Error("robot " + quote(tree.name) + ": too large for the link: its " +
              std::to_string(tree.bodies.size()) + " bodies need frames of " +
              std::to_string(bytes) + " bytes, and " + std::to_string(link::kLargestPayload) +
              " fit" +
              (sizeof(T) == sizeof(double) ? "; --scalar float takes half of them"
                                           : "; lockstep sim runs it on the host alone"));
}

}  // namespace

template <class T>
std::unique_ptr<Plan<T>> make_plan(const Tree& tree, const Scenario& scenario,
                                   const Bounds& bounds) {
  std::vector<std::string> joints;
  for_single_joints(tree,
                    [&](std::size_t i, const Counts&) { joints.push_back(tree.joint_names[i]); });
  check_joints(scenario, joints);
  check_size<T>(tree);

  auto plan = std::make_unique<Plan<T>>();
  plan->robot = make_loop_robot<T>(tree);
  plan->whole = tree;
  plan->bounds = bounds;
  LoopSettings<T>& plant = plan->plant;
  plant.resize(plan->robot->view().counts().v);
  plant.dt = static_cast<T>(scenario.dt());
  for (int i = 0; i < 3; ++i) {
    plant.gravity[i] = static_cast<T>(scenario.gravity[static_cast<std::size_t>(i)]);
  }
  plant.kp = static_cast<T>(scenario.kp);
  plant.kd = static_cast<T>(scenario.kd);
  plant.integrator = scenario.integrator;
  plant.watchdog_ticks = static_cast<std::uint32_t>(scenario.watchdog);
  plant.missed_allowed = scenario.missed_allowed;
  plant.missed_forgotten = scenario.missed_forgotten;
  set_limits(tree, scenario, plant);
  set_waves(tree, scenario, plant, scenario.rate);
  plan->control = plant;
  plan->control.dt = static_cast<T>(1 / scenario.control_rate);
  set_waves(tree, scenario, plan->control, scenario.control_rate);
  plan->start = start_state(tree, scenario, *plan->robot);
  return plan;
}

template std::unique_ptr<Plan<float>> make_plan(const Tree&, const Scenario&, const Bounds&);
template std::unique_ptr<Plan<double>> make_plan(const Tree&, const Scenario&, const Bounds&);

}  // namespace lockstep::host::hil
