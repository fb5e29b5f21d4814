#include "robot/blow_up.hpp"

#include <cmath>
#include <memory>
#include <optional>

#include "record/joint_columns.hpp"
#include "robot/robot.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

// Of Runge-Kutta, where damping is explicit: with d dt beyond 2.785 I a velocity is made larger
// from one step to the next. Euler's step and the midpoint's hold any damping.
constexpr double kMost = 2.785;

std::optional<std::string> stiff_damping(const BlowUp& blow_up) {
  if (blow_up.integrator != Integrator::kRungeKutta4) return std::nullopt;
  const Tree& tree = blow_up.tree;
  const auto robot = std::make_unique<HostRobot<double>>(tree);
  robot->in.q = blow_up.start;
  robot->in.gravity.setZero();
  std::optional<std::string> text;
  double worst = kMost;
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); at.add(tree.bodies[i].joint), ++i) {
    const Body& body = tree.bodies[i];
    if (dof_count(body.joint) != 1 || body.damping <= 0) continue;
    robot->in.tau.setZero();
    robot->in.tau[at.v] = 1;
    if (robot->solver.forward_dynamics(robot->in, robot->out) != Status::kOk) return std::nullopt;
    const double inertia = 1 / robot->out.vdot[at.v];
    if (!(body.damping * blow_up.dt > worst * inertia)) continue;
    worst = body.damping * blow_up.dt / inertia;
    const bool slides = body.joint == JointType::kPrismatic;
    text = "unstable: joint " + quote(tree.joint_names[i]) + " has damping " + brief(body.damping) +
           (slides ? " N s/m" : " N m s/rad") + ", beyond " + brief(kMost) +
           " I / dt = " + brief(kMost * inertia / blow_up.dt) + " with I = " + brief(inertia) +
           (slides ? " kg" : " kg m^2") + "; give a --dt below " +
           brief(kMost * inertia / body.damping) + ", or euler";
  }
  return text;
}

}  // namespace

bool ran_away(Status status) {
  return status == Status::kAngleTooLarge || status == Status::kOverflow ||
         status == Status::kNotFinite || status == Status::kNotUnitQuaternion;
}

std::string blow_up_text(Status status, const BlowUp& blow_up) {
  const std::string told = to_string(status);
  std::string text = told.substr(0, told.find(';'));
  // the joint that is too far, or else the fastest one
  const Tree& tree = blow_up.tree;
  double largest = -1;
  std::string joint;
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); at.add(tree.bodies[i].joint), ++i) {
    const JointType type = tree.bodies[i].joint;
    const bool turns = type == JointType::kRevolute, slides = type == JointType::kPrismatic;
    const double speed = blow_up.v.segment(at.v, dof_count(type)).cwiseAbs().maxCoeff();
    const bool by_place = status == Status::kAngleTooLarge;
    const double size = !by_place ? speed
                        : turns   ? std::abs(blow_up.q[at.q]) + blow_up.dt * speed
                                  : -1;
    if (!(size > largest) && !(std::isnan(size) && !std::isnan(largest))) continue;
    largest = size;
    joint = "joint " + quote(tree.joint_names[i]);
    if (turns || slides)
      joint += " is at " + brief(blow_up.q[at.q]) + (slides ? " m and" : " rad and");
    joint += " moves at " + brief(speed) + (slides ? " m/s" : turns ? " rad/s" : " m/s or rad/s");
  }
  if (!joint.empty()) text += ": " + joint;
  return text + "; " +
         stiff_damping(blow_up).value_or(
             "unstable: a smaller --dt, smaller gains or smaller torques may help");
}

}  // namespace lockstep::host
