#include "hil/servo_lead.hpp"

#include <algorithm>
#include <cmath>

#include "hil/remote.hpp"
#include "model/tree_rows.hpp"
#include "text/finding.hpp"

namespace lockstep::host::hil {

namespace {

constexpr double kFirstWay = 1;  // s, from where the robot is to its wave

// What each joint moves while the others stand still: the diagonal of the mass matrix.
template <class T>
std::vector<T> moved_inertia(const LoopRobot<T>& robot, const std::vector<T>& q) {
  const auto inverse = std::make_unique<HostInverseDynamics<T>>(robot.view());
  auto in = inverse->make_input();
  copy_into(q, in.q);
  in.gravity.setZero();
  auto tau = in.v;
  std::vector<T> inertia;
  for (Eigen::Index i = 0; i < in.v.size(); ++i) {
    in.vdot.setZero();
    in.vdot[i] = T(1);
    const Status status = inverse->inverse_dynamics(in, inverse->make_wrenches(), tau);
    if (status != Status::kOk) throw Error(std::string("the start: ") + to_string(status));
    inertia.push_back(tau[i]);
  }
  return inertia;
}

}  // namespace

void require_motors(const std::string& file, const Tree& tree, const Scenario& scenario) {
  if (scenario.drive == Drive::kTorque || scenario.limits == Limits::kNone) {
    throw Error((scenario.path.empty() ? file : scenario.path) +
                ": a servo follows positions within limits; leave out 'drive' torque and 'limits' "
                "none");
  }
  if (is_closed(tree) || std::ranges::any_of(tree.bodies, &Body::leads)) {
    throw Error(file +
                ": a servo's law knows trees, and this robot has loops, couplings or <mimic>; run "
                "it with --application plant");
  }
  const auto& failure = scenario.servo.failure;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const std::string joint = file + ": joint " + quote(tree.joint_names[i]) + ": ";
    const auto& limits = tree.bodies[i].limits;
    if (dof_count(tree.bodies[i].joint) != 1) {
      throw Error(joint +
                  "a servo's motors have one degree of freedom each; run it with --application "
                  "plant");
    }
    if (!std::isfinite(limits.effort) || !std::isfinite(limits.velocity)) {
      throw Error(joint + "its motor has no limits; give <limit effort=... velocity=...>");
    }
    if (i == 0 && failure && failure->kind == Failure::Kind::kBeyondLimits &&
        !std::isfinite(limits.upper)) {
      throw Error(joint + "has no upper limit to be beyond; give another 'failure'");
    }
  }
}

void require_reaction(const Scenario& scenario, const ServoStory& story) {
  const auto& failure = scenario.servo.failure;
  if (story.safe_at && (!failure || *story.safe_at < failure->tick)) {
    throw Error("the servo went safe at tick " + std::to_string(*story.safe_at) + ": " +
                to_string(story.reason));
  }
  if (failure && !story.safe_at) {
    throw Error(text_of(failure->kind) + " from tick " + std::to_string(failure->tick) +
                " on, and the servo is not safe at the end; give more --steps");
  }
}

bool fails(const Scenario& scenario, Failure::Kind kind, std::uint64_t tick) {
  const auto& failure = scenario.servo.failure;
  return failure && failure->kind == kind && tick >= failure->tick;
}

std::uint64_t ticks_a_reference(const Scenario& scenario) {
  const double ticks = std::round(scenario.control_rate / scenario.servo.references);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(ticks));
}

std::uint64_t first_goal(const Scenario& scenario) {
  const auto ticks = static_cast<std::uint64_t>(std::ceil(kFirstWay * scenario.control_rate));
  return (ticks / ticks_a_reference(scenario) + 1) * ticks_a_reference(scenario);
}

template <class T>
void start_servo(Client& client, const Plan<T>& plan, const LoopSettings<T>& settings,
                 const ServoScenario& servo) {
  configure(client, *plan.robot, settings);
  std::vector<T> stiffness, damping;
  for (const T inertia : moved_inertia(*plan.robot, plan.start.q)) {
    stiffness.push_back(static_cast<T>(servo.stiffness) * inertia);
    damping.push_back(static_cast<T>(servo.damping) * inertia);
  }
  client.tell(
      link::Servo<const T>{.stale = static_cast<std::uint32_t>(std::lround(1e6 * servo.stale)),
                           .cutoff = static_cast<T>(servo.cutoff),
                           .stiffness = stiffness,
                           .damping = damping});
  client.tell(link::Start());
}

template <class T>
void lead(Client& client, const Scenario& scenario, const LoopSettings<T>& settings,
          std::uint64_t tick, std::uint64_t goal) {
  goal = std::max(goal, first_goal(scenario));
  const auto joints = static_cast<std::size_t>(settings.limits.effort.size());
  std::vector<T> q(joints), v(joints), a(joints);
  for (std::size_t i = 0; i < joints; ++i) {
    const auto sample = settings.waves.at(static_cast<Eigen::Index>(i), goal, settings.dt);
    q[i] = sample.value, v[i] = sample.rate, a[i] = sample.acceleration;
  }
  const bool is_bad = fails(scenario, Failure::Kind::kBadReference, tick);
  if (is_bad) v[0] = T(2) * settings.limits.velocity[0];
  const link::ControlLaw usual = scenario.drive == Drive::kHold ? link::ControlLaw::kSprings
                                                                : link::ControlLaw::kComputedTorque;
  const link::Reference<const T> reference = {
      .law = scenario.servo.has_own_law ? link::ControlLaw::kOwn : usual,
      .kp = static_cast<T>(scenario.kp),
      .kd = static_cast<T>(scenario.kd),
      .duration = static_cast<T>(goal - tick) * settings.dt,
      .acceleration = static_cast<T>(scenario.servo.acceleration),
      .q = q,
      .v = v,
      .a = a};
  if (!is_bad) return client.tell(reference);
  try {
    client.tell(reference);
  } catch (const Refused& refused) {
    if (refused.status() == Status::kBeyondLimits) return;
    throw;
  }
  throw Error(client.target() + ": took a reference beyond limits");
}

template <class T>
double error_at(const Scenario& scenario, const LoopSettings<T>& settings, std::uint64_t tick,
                const std::vector<T>& q) {
  double error = 0;
  for (std::size_t i = 0; i < q.size() && tick >= first_goal(scenario); ++i) {
    const auto wave = settings.waves.at(static_cast<Eigen::Index>(i), tick, settings.dt);
    error = std::max(error, std::abs(static_cast<double>(q[i] - wave.value)));
  }
  return error;
}

template void start_servo(Client&, const Plan<float>&, const LoopSettings<float>&,
                          const ServoScenario&);
template void start_servo(Client&, const Plan<double>&, const LoopSettings<double>&,
                          const ServoScenario&);
template void lead(Client&, const Scenario&, const LoopSettings<float>&, std::uint64_t,
                   std::uint64_t);
template void lead(Client&, const Scenario&, const LoopSettings<double>&, std::uint64_t,
                   std::uint64_t);
template double error_at(const Scenario&, const LoopSettings<float>&, std::uint64_t,
                         const std::vector<float>&);
template double error_at(const Scenario&, const LoopSettings<double>&, std::uint64_t,
                         const std::vector<double>&);

}  // namespace lockstep::host::hil
