// A robot's torques where its bodies move in maximal coordinates: from a file, or holding a pose,
// and less what damping takes; as forces on the bodies. In double, whatever the bodies are computed
// in.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "model/tree.hpp"
#include "sim/simulation.hpp"

namespace lockstep::host::sim {

class JointDrive {
 public:
  // `held` is the pose that settings.hold goes for.
  JointDrive(const Tree& tree, const SimSettings& settings, Eigen::VectorXd held);
  ~JointDrive();

  // Adds the forces of the torques that act from a state on.
  void drive(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
             Eigen::VectorXd& force);

  // Of the last call.
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  const Eigen::VectorXd& tau() const { return tau_; }
  std::uint64_t limited() const { return limited_; }  // torques cut so far

 private:
  struct Gravity;
  void hold(const Hold& gains);

  const Tree& tree_;
  const SimSettings& settings_;
  Eigen::VectorXd held_, q_, v_, tau_;
  std::uint64_t limited_ = 0;
  std::unique_ptr<Gravity> gravity_;
};

}  // namespace lockstep::host::sim
