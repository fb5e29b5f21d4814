// A library that answers states of a robot. Vectors are in the order of Robot::bodies, in the
// coordinates of robot.hpp.
#pragma once

#include <memory>

#include "robot.hpp"

namespace reference {

struct State {
  Eigen::VectorXd q, v, tau;
};

struct Answer {
  Eigen::VectorXd vdot;
  Eigen::Matrix<double, 6, Eigen::Dynamic> reaction;  // force, moment on the link, in L; or none
  Eigen::VectorXd generalized;                        // what constraints add to tau; or none
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;  // with its version
  virtual std::string how() const = 0;   // it read the robot, and what it computed
  virtual Answer answer(const State& state) = 0;
};

inline constexpr double kGravity = -9.81;  // along z

// Smallest and largest eigenvalue of the mass matrix over all joints.
struct Spectrum {
  double smallest = 0, largest = 0;
};

class MassPeer : public Peer {
 public:
  virtual Spectrum spectrum(const State& state) = 0;
};

std::unique_ptr<MassPeer> make_simbody(const Robot& robot);
std::unique_ptr<Peer> make_mujoco(const Robot& robot);
std::unique_ptr<Peer> make_closed_mujoco(const Robot& robot);
std::unique_ptr<Peer> make_dart(const Robot& robot);  // none where it cannot read the file
std::unique_ptr<Peer> make_bullet(const Robot& robot);

}  // namespace reference
