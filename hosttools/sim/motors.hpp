// What a robot's motors do from a state on: the torques of a file or of the user's law, or the
// firmware's law that holds a pose, within the joints' efforts.
#pragma once

#include "robot/plant.hpp"
#include "sim/simulation.hpp"

namespace lockstep::host::sim {

template <class T>
class Motors {
 public:
  // `held` is the pose that settings.hold goes for.
  Motors(const Tree& tree, const SimSettings& settings, const Eigen::VectorXd& held);

  // From now on.
  void disable(Eigen::Index dof) { loop_.limits.effort[dof] = T(0); }

  Status drive(std::uint64_t step, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // Of the last call: the torques, and how many of them were cut.
  Eigen::VectorXd tau() const { return tau_.template cast<double>(); }
  std::uint64_t cut() const { return cut_; }
  // What of them was to brake: the dampers of a hold.
  Eigen::VectorXd damper() const { return damper_; }

 private:
  const SimSettings& settings_;
  LoopSettings<T> loop_;
  std::unique_ptr<LoopRobot<T>> robot_;
  std::unique_ptr<HostController<T>> holding_;
  typename LoopSettings<T>::Dofs tau_;
  Eigen::VectorXd damper_, gain_;  // gain_: kd, and zero for a floating base
  std::uint64_t cut_ = 0;
};

}  // namespace lockstep::host::sim
