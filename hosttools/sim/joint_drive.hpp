// A robot's torques where its bodies move in maximal coordinates: from a file, or holding a pose,
// and less what damping takes; as forces on the bodies. In double, whatever the bodies are computed
// in.
#pragma once

#include "sim/motors.hpp"

namespace lockstep::host::sim {

class JointDrive {
 public:
  // `held` is the pose that settings.hold goes for.
  JointDrive(const Tree& tree, const SimSettings& settings, const Eigen::VectorXd& held)
      : tree_(tree), motors_(tree, settings, held), q_(held) {}

  // Adds the forces of the torques that act from a state on.
  void drive(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
             Eigen::VectorXd& force);

  // Of the last call.
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  const Eigen::VectorXd& tau() const { return tau_; }
  std::uint64_t limited() const { return limited_; }  // torques cut so far

 private:
  const Tree& tree_;
  Motors<double> motors_;
  Eigen::VectorXd q_, v_, tau_;
  std::uint64_t limited_ = 0;
};

}  // namespace lockstep::host::sim
