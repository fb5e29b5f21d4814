#include "sim/joint_drive.hpp"

#include <algorithm>

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/joint_space.hpp"
#include "mechanism/joint_space.hpp"
#include "model/table.hpp"
#include "text/error.hpp"

namespace lockstep::host::sim {

namespace {

void require(Status status) {
  if (status != Status::kOk) throw Error(std::string("--hold: ") + to_string(status));
}

}  // namespace

// What holds the robot up, and how far it is from the pose to hold.
struct JointDrive::Gravity {
  using Model = TableModel<double, kHostBodies>;
  using Inverse = InverseDynamics<Model, double>;

  explicit Gravity(const Tree& tree)
      : table(to_table<double>(tree)), inverse(std::make_unique<Inverse>(*table)) {}

  std::unique_ptr<Model> table;
  std::unique_ptr<Inverse> inverse;
};

JointDrive::JointDrive(const Tree& tree, const SimSettings& settings, Eigen::VectorXd held)
    : tree_(tree),
      settings_(settings),
      held_(std::move(held)),
      q_(held_),
      gravity_(settings.hold ? std::make_unique<Gravity>(tree) : nullptr) {}

JointDrive::~JointDrive() = default;

void JointDrive::drive(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                       Eigen::VectorXd& force) {
  const JointMotion motion = joint_motion(tree_, x, v, q_);
  q_ = motion.q;
  v_ = motion.v;
  tau_ = Eigen::VectorXd::Zero(v_.size());
  if (settings_.hold) hold(*settings_.hold);
  if (settings_.torques) tau_ = settings_.torques->at(step);
  Eigen::VectorXd acting = tau_;
  Eigen::Index at = 0;
  for (const Body& body : tree_.bodies) {
    const int dofs = dof_count(body.joint);
    if (settings_.limits && dofs == 1) {
      const double within = std::clamp(tau_[at], -body.limits.effort, body.limits.effort);
      limited_ += within != tau_[at];
      tau_[at] = within;
    }
    acting.segment(at, dofs) = tau_.segment(at, dofs) - body.damping * v_.segment(at, dofs);
    at += dofs;
  }
  force += body_forces(tree_, x, acting);
}

void JointDrive::hold(const Hold& gains) {
  using Inverse = Gravity::Inverse;
  typename Inverse::Dofs error = v_, up = v_;
  const typename Inverse::Configs q = q_, held = held_;
  const typename Inverse::Gravity g(settings_.gravity[0], settings_.gravity[1],
                                    settings_.gravity[2]);
  require(difference(*gravity_->table, q, held, error));
  require(gravity_->inverse->gravity_torque(q, g, up));
  Eigen::Index at = 0;
  for (const Body& body : tree_.bodies) {
    const int dofs = dof_count(body.joint);
    if (body.joint != JointType::kFloating) {  // which has no motor
      tau_.segment(at, dofs) = up.segment(at, dofs) + gains.kp * error.segment(at, dofs) -
                               gains.kd * v_.segment(at, dofs);
    }
    at += dofs;
  }
}

}  // namespace lockstep::host::sim
