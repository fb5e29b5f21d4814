#include "sim/motors.hpp"

namespace lockstep::host::sim {

template <class T>
Motors<T>::Motors(const Tree& tree, const SimSettings& settings, const Eigen::VectorXd& held)
    : settings_(settings) {
  const int dofs = total_dof(tree.bodies);
  loop_.resize(dofs);
  loop_.dt = static_cast<T>(settings.dt);
  loop_.gravity = Eigen::Vector3d(settings.gravity.data()).cast<T>();
  tau_.setZero(dofs);
  damper_.setZero(dofs);
  gain_.setConstant(dofs, settings.hold ? settings.hold->kd : 0);
  Counts at;
  for (const Body& body : tree.bodies) {
    if (settings.limits && dof_count(body.joint) == 1) {
      loop_.limits.effort[at.v] = static_cast<T>(body.limits.effort);
    }
    if (body.joint == JointType::kFloating) gain_.segment<6>(at.v).setZero();
    at.add(body.joint);
  }
  if (!settings.hold) return;
  loop_.kp = static_cast<T>(settings.hold->kp);
  loop_.kd = static_cast<T>(settings.hold->kd);
  robot_ = make_loop_robot<T>(tree);
  holding_ = std::make_unique<HostController<T>>(*robot_);
  holding_->incoming().reference.q = held.cast<T>();
}

template <class T>
Status Motors<T>::drive(std::uint64_t step, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  if (holding_) {
    const std::uint32_t before = holding_->limited();
    holding_->incoming().q = q.cast<T>();
    holding_->incoming().v = v.cast<T>();
    const Status status = holding_->hold(loop_);
    tau_ = holding_->torque();
    damper_ = -gain_.cwiseProduct(v);
    cut_ = holding_->limited() - before;
    return status;
  }
  if (settings_.torques) tau_ = settings_.torques->at(step).template cast<T>();
  if (settings_.law) tau_ = settings_.law(step, q, v).template cast<T>();
  cut_ = static_cast<std::uint64_t>(firmware::limit(loop_.limits, loop_.dt, tau_, tau_));
  return Status::kOk;
}

template class Motors<float>;
template class Motors<double>;

}  // namespace lockstep::host::sim
