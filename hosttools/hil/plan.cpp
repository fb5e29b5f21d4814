#include "hil/plan.hpp"

#include <cmath>
#include <numbers>
#include <random>

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

template <class T>
void set_waves(const Tree& tree, const Scenario& scenario, LoopSettings<T>& settings, double rate) {
  std::mt19937_64 random(scenario.seed);
  auto& waves = settings.waves;
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const double spread = static_cast<double>(random()) * 0x1p-64;  // drawn for every joint
    const bool has_wave = dof_count(tree.bodies[i].joint) == 1;
    if (has_wave) {
      const std::string& joint = tree.joint_names[i];
      const Wave wave = scenario.wave_of(joint);
      const bool is_own = scenario.joints.contains(joint);
      waves.offset[at.v] = static_cast<T>(wave.offset);
      waves.amplitude[at.v] = static_cast<T>(wave.amplitude);
      waves.increment[at.v] = to_phase(wave.frequency / rate);
      waves.phase[at.v] = to_phase(is_own ? wave.phase / (2 * std::numbers::pi) : spread);
    }
    at.add(tree.bodies[i].joint);
  }
}

template <class T>
void set_limits(const Tree& tree, const Scenario& scenario, LoopSettings<T>& settings) {
  if (scenario.limits == Limits::kNone) return;
  auto& limits = settings.limits;
  limits.effort_rate.setConstant(static_cast<T>(scenario.torque_rate));
  Counts at;
  for (const Body& body : tree.bodies) {
    if (dof_count(body.joint) == 1) {
      limits.effort[at.v] = static_cast<T>(body.limits.effort);
      limits.velocity[at.v] = static_cast<T>(body.limits.velocity);
      limits.lower[at.v] = static_cast<T>(body.limits.lower);
      limits.upper[at.v] = static_cast<T>(body.limits.upper);
    }
    at.add(body.joint);
  }
}

template <class T>
PlantState<T> start_state(const Tree& tree, const Scenario& scenario, const LoopRobot<T>& robot) {
  const auto rest = Problem<HostModel<T>, T>(robot.view()).make_input();
  PlantState<T> state = {0, Hash().value(), to_vector(rest.q), to_vector(rest.v),
                         to_vector(rest.tau)};
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (dof_count(tree.bodies[i].joint) == 1) {
      state.q[static_cast<std::size_t>(at.q)] =
          static_cast<T>(scenario.start_of(tree.joint_names[i]));
    }
    at.add(tree.bodies[i].joint);
  }
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
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (dof_count(tree.bodies[i].joint) == 1) joints.push_back(tree.joint_names[i]);
  }
  check_joints(scenario, joints);
  check_size<T>(tree);

  auto plan = std::make_unique<Plan<T>>();
  plan->robot = make_loop_robot<T>(tree);
  plan->bounds = bounds;
  LoopSettings<T>& plant = plan->plant;
  plant.resize(plan->robot->view().counts().v);
  plant.dt = static_cast<T>(1 / scenario.rate);
  for (int i = 0; i < 3; ++i) {
    plant.gravity[i] = static_cast<T>(scenario.gravity[static_cast<std::size_t>(i)]);
  }
  plant.kp = static_cast<T>(scenario.kp);
  plant.kd = static_cast<T>(scenario.kd);
  plant.integrator = scenario.integrator == Integrator::kRk4
                         ? lockstep::Integrator::kRungeKutta4
                         : lockstep::Integrator::kSemiImplicitEuler;
  plant.watchdog_ticks = static_cast<std::uint32_t>(scenario.watchdog);
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
