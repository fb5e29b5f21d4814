#include "robot/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "lockstep/body_data.hpp"
#include "robot/robot.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double energy(const Mechanics& mechanics) { return mechanics.kinetic + mechanics.potential; }

std::string gain_text(const Balance& balance) {
  return "gained " + brief(balance.gained()) + " J that nothing put in, with " +
         brief(balance.exchanged()) + " J exchanged";
}

// Whether such an answer of a step means that the state ran away.
bool ran_away(Status status) {
  return status == Status::kAngleTooLarge || status == Status::kOverflow ||
         status == Status::kNotFinite || status == Status::kNotUnitQuaternion;
}

}  // namespace

void Balance::Range::add(double value, bool first) {
  now = value;
  least = first ? value : std::min(least, value);
  most = first ? value : std::max(most, value);
}

void Balance::add(const Mechanics& now, double work, const Eigen::VectorXd& q,
                  const Eigen::VectorXd& v, double damped) {
  const bool first = !started_;
  started_ = true;
  end_ = now;
  if (first) start_ = now;
  largest_change_ = std::max(largest_change_, std::abs(energy(now) - energy(start_)));
  most_kinetic_ = std::max(most_kinetic_, now.kinetic);
  scale_ = std::max(scale_, now.scale);
  potential_.add(now.potential, first);
  work_.add(work, first);
  const double own = energy(now) - (work - damped);
  lowest_ = first || forgiven_ ? own : std::min(lowest_, own);
  forgiven_ = false;
  const double gained = std::isfinite(own) ? own - lowest_ : kInfinity;
  if (!first && !(gained > gained_)) return;
  gained_ = gained;
  q_ = q;
  v_ = v;
}

bool Balance::is_broken(double off) const {
  return !std::isfinite(gained_) || gained_ > kOrdinaryGain * exchanged() + slack(off);
}

double position_error(std::uint64_t steps, double epsilon, double tolerance) {
  return static_cast<double>(steps) * epsilon + tolerance;
}

std::string busiest_joint(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  DenseInput state = rest(tree.bodies);
  state.q = q;
  double most = -1;
  std::string text = "no joint";
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const JointType joint = tree.bodies[i].joint;
    const auto own = v.segment(at.v, dof_count(joint));
    state.v.setZero();
    state.v.segment(at.v, own.size()) = own;
    at.add(joint);
    const double kinetic = mechanics(tree.bodies, state).kinetic;
    if (!(kinetic > most)) continue;
    most = kinetic;
    text = "joint " + quote(tree.joint_names[i]) + " (" + brief(own.norm()) +
           (joint == JointType::kPrismatic                                 ? " m/s)"
            : joint == JointType::kFloating || joint == JointType::kPlanar ? ")"
                                                                           : " rad/s)");
  }
  return text;
}

std::string energy_text(const Balance& balance) {
  return brief(energy(balance.start()), 6) + " J to " + brief(energy(balance.end()), 6) +
         " J, largest change " + brief(balance.largest_change(), 2) + " J";
}

Manner manner_of(Integrator integrator) {
  switch (integrator) {
    // joints are implicit, Coriolis terms are not
    case Integrator::kSemiImplicitEuler:
    case Integrator::kEulerMiddle:
      return {kInfinity, kInfinity, "", " or --integrator midpoint"};
    // with d dt beyond 2.785 I a velocity is made larger from one step to the next, with k dt^2
    // beyond 8 I an oscillation
    case Integrator::kRungeKutta4: return {2.785, 8, " or --integrator midpoint", ""};
    case Integrator::kMidpoint: break;
  }
  return {kInfinity, kInfinity, "", ""};
}

void StiffSearch::judge(const Damped& own) {
  const auto keep = [&](double share, const std::string& what, const std::string& bound,
                        double longest) {
    if (!(share > worst_)) return;
    worst_ = share;
    text_ = own.label + " has " + what + ", beyond " + bound + " with I = " + brief(own.inertia) +
            (own.slides ? " kg" : " kg m^2") + "; give a --dt below " + brief(longest) +
            manner_.if_stiff;
  };
  const double d = manner_.damping * own.inertia / dt_,
               k = manner_.stiffness * own.inertia / (dt_ * dt_);
  keep(own.damping / d, "damping " + brief(own.damping) + (own.slides ? " N s/m" : " N m s/rad"),
       brief(manner_.damping, 4) + " I / dt = " + brief(d), dt_ * d / own.damping);
  keep(own.stiffness / k,
       "a spring of " + brief(own.stiffness) + (own.slides ? " N/m" : " N m/rad"),
       brief(manner_.stiffness, 4) + " I / dt^2 = " + brief(k), dt_ * std::sqrt(k / own.stiffness));
}

std::optional<std::string> stiff_joint(const Tree& tree, const Eigen::VectorXd& q, double dt,
                                       const Manner& manner) {
  if (manner.damping == kInfinity) return std::nullopt;
  const auto robot = std::make_unique<HostRobot<double>>(tree);
  robot->in.q = q;
  robot->in.gravity.setZero();
  StiffSearch search(dt, manner);
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); at.add(tree.bodies[i].joint), ++i) {
    const Body& body = tree.bodies[i];
    if (dof_count(body.joint) != 1 || !is_soft(body)) continue;
    robot->in.v.setZero();
    robot->in.tau.setZero();
    if (robot->solver.forward_dynamics(robot->in, robot->out) != Status::kOk) return std::nullopt;
    const double resting = robot->out.vdot[at.v];
    robot->in.tau[at.v] = 1;
    if (robot->solver.forward_dynamics(robot->in, robot->out) != Status::kOk) return std::nullopt;
    search.judge({.label = "joint " + quote(tree.joint_names[i]),
                  .inertia = 1 / (robot->out.vdot[at.v] - resting),
                  .damping = body.damping,
                  .stiffness = body.stiffness,
                  .slides = body.joint == JointType::kPrismatic});
  }
  return search.text();
}

BalanceLine balance_line(const Balance& balance, double off, const Hint& where,
                         const Hint& remedy) {
  if (balance.is_broken(off)) {
    return {kUnstable, gain_text(balance) + ", most in " + where() + "; " + remedy()};
  }
  const std::string work =
      balance.work() == 0 ? "" : "motors and forces did " + brief(balance.work()) + " J; ";
  const std::string gained =
      balance.gained() <= balance.slack(off)
          ? "no energy gained"
          : "at most " + brief(balance.gained()) + " J that nothing put in, " +
                brief(100 * balance.gained() / balance.exchanged(), 2) + " %";
  return {"balance", work + gained + " of " + brief(balance.exchanged()) + " J exchanged"};
}

Error with_gain(const BrokeOff& error, const Balance& balance, double off, const Hint& remedy) {
  const std::string gain =
      balance.is_broken(off) ? std::string(kUnstable) + ": " + gain_text(balance) + "; " : "";
  return Error(std::string(error.what()) + "; " + gain + remedy());
}

std::string broken_off_text(Status status, const Tree& tree, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& v, double dt) {
  const std::string told = to_string(status);
  if (!ran_away(status)) return told;
  // the joint that is too far, or else the fastest one
  double largest = -1;
  std::string joint;
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); at.add(tree.bodies[i].joint), ++i) {
    const JointType type = tree.bodies[i].joint;
    const bool turns = type == JointType::kRevolute, slides = type == JointType::kPrismatic;
    const double speed = v.segment(at.v, dof_count(type)).cwiseAbs().maxCoeff();
    const bool by_place = status == Status::kAngleTooLarge;
    const double size = !by_place ? speed : turns ? std::abs(q[at.q]) + dt * speed : -1;
    if (!(size > largest) && !(std::isnan(size) && !std::isnan(largest))) continue;
    largest = size;
    joint = ": joint " + quote(tree.joint_names[i]);
    if (turns || slides) joint += " is at " + brief(q[at.q]) + (slides ? " m and" : " rad and");
    joint += " moves at " + brief(speed) + (slides ? " m/s" : turns ? " rad/s" : " m/s or rad/s");
  }
  return told.substr(0, told.find(';')) + joint;
}

}  // namespace lockstep::host
