// Bullet's articulated-body algorithm in double, from the generator's description. A link's frame
// I sits in its centre of mass along the principal axes; the base moves in world coordinates.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "peer.hpp"

namespace reference {

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

btVector3 to_bullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion turn_of(const Matrix3d& R) {
  const Quaterniond q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

class Bullet : public Peer {
 public:
  explicit Bullet(const Robot& robot) : robot_(robot), first_(robot.floating ? 1 : 0) {
    for (const Body& body : robot_.bodies) {
      const auto [R_LI, moments] = principal(body.inertial);
      Isometry3d X = Isometry3d::Identity();
      X.linear() = R_LI;
      X.translation() = body.inertial.com;
      frames_.push_back(X);
      moments_.push_back(moments);
    }
    const int count = static_cast<int>(robot_.bodies.size());
    tree_ = std::make_unique<btMultiBody>(
        count - first_, robot.floating ? robot_.bodies[0].inertial.mass : 0,
        robot.floating ? to_bullet(moments_[0]) : btVector3(0, 0, 0), !robot.floating, false);
    for (int i = first_; i < count; ++i) add_link(i);
    tree_->finalizeMultiDof();
    tree_->setLinearDamping(0);
    tree_->setAngularDamping(0);
  }

  std::string name() const override {
    return "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
           std::to_string(BT_BULLET_VERSION % 100);
  }
  std::string how() const override {
    return "built from the generator's reader; accelerations by btMultiBody, in double";
  }

  Answer answer(const State& state) override {
    set(state);
    // a step of no length leaves the velocities alone
    tree_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, numbers_, vectors_, matrices_,
                                                                false, false, false);
    Answer answer;
    answer.vdot.resize(robot_.dofs());
    const double* from = &numbers_[tree_->getNumDofs()];  // the base's angular, linear, the joints'
    if (robot_.floating) {
      const Eigen::Map<const Vector3d> angular(from), linear(from + 3);
      const Matrix3d R_LW = Quaterniond(state.q.data() + 3).toRotationMatrix().transpose();
      const Vector3d v = state.v.head<3>(), w = state.v.segment<3>(3),
                     com = frames_[0].translation();
      const Vector3d wdot = R_LW * angular;
      answer.vdot.head<3>() = R_LW * linear - wdot.cross(com) - w.cross(w.cross(com)) - w.cross(v);
      answer.vdot.segment<3>(3) = wdot;
    }
    from += 6;
    for (std::size_t i = static_cast<std::size_t>(first_); i < robot_.bodies.size(); ++i) {
      const int at = robot_.bodies[i].v, dofs = dof_count(robot_.bodies[i].type);
      if (dofs == 3) {
        answer.vdot.segment<3>(at) = frames_[i].linear() * Eigen::Map<const Vector3d>(from);
      } else {
        answer.vdot[at] = *from;
      }
      from += dofs;
    }
    return answer;
  }

 private:
  void add_link(int i) {
    const Body& body = robot_.bodies[static_cast<std::size_t>(i)];
    const Isometry3d &X_LI = frames_[static_cast<std::size_t>(i)],
                     X_PI = body.parent < 0 ? Isometry3d::Identity()
                                            : frames_[static_cast<std::size_t>(body.parent)];
    const Matrix3d R_IL = X_LI.linear().transpose(), R_IP = X_PI.linear().transpose();
    const btQuaternion turn =
        turn_of(Matrix3d(R_IL * body.X_PJ.linear().transpose() * X_PI.linear()));
    const btVector3 axis = to_bullet(R_IL * body.axis), com = to_bullet(R_IL * X_LI.translation()),
                    moments = to_bullet(moments_[static_cast<std::size_t>(i)]),
                    pivot = to_bullet(R_IP * (body.X_PJ.translation() - X_PI.translation()));
    const int link = i - first_, on = body.parent < 0 ? -1 : body.parent - first_;
    const double mass = body.inertial.mass;
    switch (body.type) {
      case JointType::kRevolute:
        tree_->setupRevolute(link, mass, moments, on, turn, axis, pivot, com, true);
        break;
      case JointType::kPrismatic:
        tree_->setupPrismatic(link, mass, moments, on, turn, axis, pivot, com, true);
        break;
      default: tree_->setupSpherical(link, mass, moments, on, turn, pivot, com, true);
    }
  }

  void set(const State& state) {
    tree_->clearForcesAndTorques();
    for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
      const Body& body = robot_.bodies[i];
      const int link = static_cast<int>(i) - first_;
      const btVector3 weight(0, 0, body.inertial.mass * kGravity);
      if (link < 0) {
        set_base(state);
        tree_->addBaseForce(weight);
      } else {
        set_link(link, body, frames_[i].linear().transpose(), state);
        tree_->addLinkForce(link, weight);
      }
    }
  }

  void set_link(int link, const Body& body, const Matrix3d& R_IL, const State& state) {
    const double *q = &state.q[body.q], *v = &state.v[body.v], *tau = &state.tau[body.v];
    if (body.type != JointType::kBall) {
      tree_->setJointPosMultiDof(link, q);
      tree_->setJointVelMultiDof(link, v);
      tree_->addJointTorqueMultiDof(link, tau);
      return;
    }
    Quaterniond turn(q);
    turn.vec() = R_IL * turn.vec();
    const Vector3d w = R_IL * Eigen::Map<const Vector3d>(v),
                   torque = R_IL * Eigen::Map<const Vector3d>(tau);
    tree_->setJointPosMultiDof(link, turn.coeffs().data());
    tree_->setJointVelMultiDof(link, w.data());
    tree_->addJointTorqueMultiDof(link, torque.data());
  }

  void set_base(const State& state) {
    const Matrix3d R_WL = Quaterniond(state.q.data() + 3).toRotationMatrix();
    const Vector3d com = frames_[0].translation(), v = state.v.head<3>(), w = state.v.segment<3>(3),
                   force = state.tau.head<3>(), moment = state.tau.segment<3>(3);
    tree_->setBasePos(to_bullet(state.q.head<3>() + R_WL * com));
    tree_->setWorldToBaseRot(turn_of(Matrix3d(frames_[0].linear().transpose() * R_WL.transpose())));
    tree_->setBaseVel(to_bullet(R_WL * (v + w.cross(com))));
    tree_->setBaseOmega(to_bullet(R_WL * w));
    tree_->addBaseForce(to_bullet(R_WL * force));
    tree_->addBaseTorque(to_bullet(R_WL * (moment - com.cross(force))));
  }

  Robot robot_;
  int first_;                       // of the bodies that are links
  std::vector<Isometry3d> frames_;  // X_LI
  std::vector<Vector3d> moments_;
  std::unique_ptr<btMultiBody> tree_;
  btAlignedObjectArray<btScalar> numbers_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

}  // namespace

std::unique_ptr<Peer> make_bullet(const Robot& robot) {
  return robot.closed() ? nullptr : std::make_unique<Bullet>(robot);
}

}  // namespace reference
