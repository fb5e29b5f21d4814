#include "sim/joint_drive.hpp"

#include "error.hpp"
#include "mechanism/joint_space.hpp"

namespace lockstep::host::sim {

void JointDrive::drive(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                       Eigen::VectorXd& force) {
  const JointMotion motion = joint_motion(tree_, x, v, q_);
  q_ = motion.q;
  v_ = motion.v;
  const Status status = motors_.drive(step, q_, v_);
  if (status != Status::kOk) throw Error(std::string("--hold: ") + to_string(status));
  tau_ = motors_.tau();
  limited_ += motors_.cut();
  Eigen::VectorXd acting = tau_;
  Eigen::Index at = 0;
  for (const Body& body : tree_.bodies) {
    const int dofs = dof_count(body.joint);
    acting.segment(at, dofs) -= body.damping * v_.segment(at, dofs);
    at += dofs;
  }
  force += body_forces(tree_, x, acting);
}

}  // namespace lockstep::host::sim
