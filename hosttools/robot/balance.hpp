// Whether a run kept its energy, and if not or if it broke off, why. Motors may put energy in, and
// damping, friction, limits and contacts may take some away; what else comes in is made by the
// integrator. E - W, the energy without the work of motors, can then only fall, but for an error
// that is small beside what was exchanged.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "lockstep/integrate/integrator.hpp"
#include "lockstep/status.hpp"
#include "model/tree.hpp"
#include "oracle/energy.hpp"
#include "text/error.hpp"

namespace lockstep::host {

// What gains up to this share of the exchanged energy is taken for the ordinary error of an
// integrator. Semi-implicit Euler at 1 ms stays below 0.024 on robots that swing for 5 s and are
// right to the eye; those that gain energy step by step pass 0.16.
inline constexpr double kOrdinaryGain = 0.1;

// How far positions are off after so many steps in a scalar of this epsilon, and where contacts,
// limits and loops hold them to a tolerance, relative to the robot's size.
inline constexpr double kUsualTolerance = 1e-6;
double position_error(std::uint64_t steps, double epsilon, double tolerance = kUsualTolerance);

// Follows energy and momentum.
class Balance {
 public:
  // A state (of joints, or of bodies) and what motors and other forces have done since the first
  // one, in J; `damped` is what of it was to brake, which does not count: brakes can only take.
  void add(const Mechanics& now, double work, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
           double damped = 0);
  // What came before is no gain: stops pushed a robot back that started beyond its limits.
  void forgive() { forgiven_ = true; }

  const Mechanics& start() const { return start_; }
  const Mechanics& end() const { return end_; }
  double work() const { return work_.now; }
  double largest_change() const { return largest_change_; }  // of the energy since the start, J

  // The largest rise of E - W above its lowest value before, J, and the state that it led to.
  double gained() const { return gained_; }
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  // What moved between the forms of energy, J: the most of kinetic energy, and the ranges of
  // potential energy and work.
  double exchanged() const { return most_kinetic_ + potential_.range() + work_.range(); }
  // Whether more was gained than the ordinary share, and than positions off by so much, relative to
  // the robot's size, explain.
  bool is_broken(double off) const;
  double slack(double off) const { return off * (most_kinetic_ + scale_); }  // J

 private:
  struct Range {
    double now = 0, least = 0, most = 0;
    void add(double value, bool first);
    double range() const { return most - least; }
  };

  bool started_ = false, forgiven_ = false;
  Mechanics start_, end_;
  double largest_change_ = 0, lowest_ = 0, gained_ = 0, most_kinetic_ = 0, scale_ = 0;
  Range potential_, work_;
  Eigen::VectorXd q_, v_;
};

// What torques that last a step do: an impulse dt tau that takes v to v' changes the kinetic energy
// by dt tau (v + v') / 2.
inline double work_of(const Eigen::VectorXd& tau, const Eigen::VectorXd& before,
                      const Eigen::VectorXd& after, double dt) {
  return 0.5 * dt * tau.dot(before + after);
}

// The joint whose motion alone holds the most kinetic energy: "joint 'wrist' (812 rad/s)".
std::string busiest_joint(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

// "3 J to 2 J, largest change 1 J"
std::string energy_text(const Balance& balance);

// How a way to step behaves, for those to whom it gained energy: the most of d dt / I that it bears
// of damping, of k dt^2 / I of springs, and what to type instead of it, if that was too much and if
// it was not.
struct Manner {
  double damping, stiffness;
  std::string if_stiff, if_not;
};
Manner manner_of(Integrator integrator);

// A damper and a spring on a coordinate of so much inertia.
struct Damped {
  std::string label;
  double inertia, damping, stiffness;
  bool slides;
};
// Of those that a way to step does not bear, tells the worst.
class StiffSearch {
 public:
  StiffSearch(double dt, const Manner& manner) : dt_(dt), manner_(manner) {}

  void judge(const Damped& own);
  const std::optional<std::string>& text() const { return text_; }

 private:
  double dt_, worst_ = 1;
  Manner manner_;
  std::optional<std::string> text_;
};

// "joint 'knuckle' has damping 1.5 N m s/rad, beyond 2.785 I / dt = 0.835 with I = 0.0003 kg m^2;
// give a --dt below 0.000557 or --integrator midpoint", if that is so at q; or of its spring.
std::optional<std::string> stiff_joint(const Tree& tree, const Eigen::VectorXd& q, double dt,
                                       const Manner& manner);

// Asked for only if it is told.
using Hint = std::function<std::string()>;

// A line of the summary, name and text: how the balance stands. If it is broken, `where` names what
// gained most, and `remedy` the likely cause and what to type.
inline constexpr const char* kUnstable = "UNSTABLE";
struct BalanceLine {
  std::string name, text;
};
BalanceLine balance_line(const Balance& balance, double off, const Hint& where, const Hint& remedy);

// A run that cannot go on: its step, the status, and what ran away. Who started it knows why.
class BrokeOff : public Error {
 public:
  using Error::Error;
};
// The same with the gain of energy that went before it, if there was one, and the remedy.
Error with_gain(const BrokeOff& error, const Balance& balance, double off, const Hint& remedy);

// "an angle is too large: joint 'elbow' is at 1.2e+06 rad and moves at 3e+07 rad/s", of the state
// that no step of dt leads on from.
std::string broken_off_text(Status status, const Tree& tree, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& v, double dt);

}  // namespace lockstep::host
