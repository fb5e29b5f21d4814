// Bullet's articulated-body algorithm in double. A link's frame sits in its centre of mass, along
// the principal axes of inertia (I below); the base moves in world coordinates.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "candidate.hpp"
#include "principal_inertia.hpp"

namespace lockstep::bench {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Vector = Eigen::Map<const Vector3d>;

btVector3 to_bullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion to_bullet(const Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

class Bullet : public Candidate {
 public:
  explicit Bullet(std::span<const Body> bodies)
      : bodies_(bodies.begin(), bodies.end()), floating_(bodies[0].joint == JointType::kFloating) {
    for (const Body& body : bodies_) frames_.push_back(principal_inertia(body));
    const PrincipalInertia base = floating_ ? frames_[0] : PrincipalInertia{};
    robot_ = std::make_unique<btMultiBody>(static_cast<int>(bodies_.size()) - first(),
                                           floating_ ? bodies_[0].mass : 0, to_bullet(base.moments),
                                           !floating_, false);
    for (int i = first(); i < static_cast<int>(bodies_.size()); ++i) add_link(i);
    robot_->finalizeMultiDof();
    robot_->setLinearDamping(0);
    robot_->setAngularDamping(0);
  }

  void set(const State& state) override {
    state_ = state;
    q_.clear();
    robot_->clearForcesAndTorques();
    const double *q = state.q.data(), *v = state.v.data(), *tau = state.tau.data();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const int link = static_cast<int>(i) - first();
      const btVector3 weight(0, 0, bodies_[i].mass * kGravity);
      const Matrix3d R_IB = frames_[i].R_BI.transpose();
      if (bodies_[i].joint == JointType::kFloating) {
        set_base(q, v, tau);
        robot_->addBaseForce(weight);
      } else if (bodies_[i].joint == JointType::kBall) {
        Quaterniond turned(q);
        turned.vec() = R_IB * turned.vec();
        q_.insert(q_.end(), turned.coeffs().begin(), turned.coeffs().end());
        const Vector3d w = R_IB * Vector(v), torque = R_IB * Vector(tau);
        robot_->setJointVelMultiDof(link, w.data());
        robot_->addJointTorqueMultiDof(link, torque.data());
      } else {
        q_.push_back(*q);
        robot_->setJointVelMultiDof(link, v);
        robot_->addJointTorqueMultiDof(link, tau);
      }
      if (link >= 0) robot_->addLinkForce(link, weight);
      q += config_count(bodies_[i].joint);
      v += dof_count(bodies_[i].joint), tau += dof_count(bodies_[i].joint);
    }
  }

  // Sines and cosines are in setJointPosMultiDof. A step of no length leaves the velocities alone.
  void run(int times) override {
    for (int n = 0; n < times; ++n) {
      const double* q = q_.data();
      for (int link = 0; link < robot_->getNumLinks(); ++link) {
        robot_->setJointPosMultiDof(link, q);
        q += robot_->getLink(link).m_posVarCount;
      }
      robot_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, numbers_, vectors_, matrices_,
                                                                   false, false, false);
    }
  }

  std::vector<double> vdot() const override {
    // where Bullet leaves them: the base's angular and linear, then the joints'
    const double* from = &numbers_[robot_->getNumDofs()];
    std::vector<double> result;
    if (floating_) {
      const Vector3d twist_rate[2] = {base_linear(from), base_angular(from)};
      for (const Vector3d& part : twist_rate) result.insert(result.end(), part.begin(), part.end());
    }
    from += 6;
    for (std::size_t i = static_cast<std::size_t>(first()); i < bodies_.size(); ++i) {
      const int dofs = dof_count(bodies_[i].joint);
      if (dofs == 3) {
        const Vector3d turned = frames_[i].R_BI * Vector(from);
        result.insert(result.end(), turned.begin(), turned.end());
      } else {
        result.push_back(*from);
      }
      from += dofs;
    }
    return result;
  }

 private:
  int first() const { return floating_ ? 1 : 0; }  // of the bodies that are links

  void add_link(int i) {
    const Body& body = bodies_[static_cast<std::size_t>(i)];
    const PrincipalInertia& frame = frames_[static_cast<std::size_t>(i)];
    const PrincipalInertia parent =
        body.parent == kWorld ? PrincipalInertia{} : frames_[static_cast<std::size_t>(body.parent)];
    using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Matrix3d R_PJ = Eigen::Map<const RowMajor>(body.R_PJ.data());
    const Matrix3d turn = frame.R_BI.transpose() * R_PJ.transpose() * parent.R_BI;
    const btQuaternion rotation = to_bullet(Quaterniond(turn));
    const btVector3 axis = to_bullet(frame.R_BI.transpose().col(2));
    const Vector3d to_pivot = parent.R_BI.transpose() * (Vector(body.p_PJ.data()) - parent.com);
    const btVector3 pivot = to_bullet(to_pivot);
    const btVector3 com = to_bullet(frame.R_BI.transpose() * frame.com);
    const btVector3 moments = to_bullet(frame.moments);
    const int link = i - first(), on = body.parent == kWorld ? -1 : body.parent - first();
    switch (body.joint) {
      case JointType::kRevolute:
        robot_->setupRevolute(link, body.mass, moments, on, rotation, axis, pivot, com, true);
        break;
      case JointType::kPrismatic:
        robot_->setupPrismatic(link, body.mass, moments, on, rotation, axis, pivot, com, true);
        break;
      default: robot_->setupSpherical(link, body.mass, moments, on, rotation, pivot, com, true);
    }
  }

  void set_base(const double* q, const double* v, const double* tau) {
    const Quaterniond turn(q + 3);
    const Matrix3d R_WB = turn.toRotationMatrix();
    const Vector3d &com = frames_[0].com, w = Vector(v + 3);
    robot_->setBasePos(to_bullet(Vector(q) + R_WB * com));
    robot_->setWorldToBaseRot(
        to_bullet(Quaterniond(Matrix3d(frames_[0].R_BI.transpose() * R_WB.transpose()))));
    robot_->setBaseVel(to_bullet(R_WB * (Vector(v) + w.cross(com))));
    robot_->setBaseOmega(to_bullet(R_WB * w));
    robot_->addBaseForce(to_bullet(R_WB * Vector(tau)));
    robot_->addBaseTorque(to_bullet(R_WB * (Vector(tau + 3) - com.cross(Vector(tau)))));
  }

  Matrix3d base_rotation() const { return Quaterniond(&state_.q[3]).toRotationMatrix(); }
  Vector3d base_angular(const double* from) const {
    return base_rotation().transpose() * Vector(from);
  }
  // From the centre of mass to B's origin, and from a point's acceleration to a twist's.
  Vector3d base_linear(const double* from) const {
    const Vector3d v = Vector(&state_.v[0]), w = Vector(&state_.v[3]), com = frames_[0].com;
    return base_rotation().transpose() * Vector(from + 3) - base_angular(from).cross(com) -
           w.cross(w.cross(com)) - w.cross(v);
  }

  std::vector<Body> bodies_;
  bool floating_;
  std::vector<PrincipalInertia> frames_;
  std::unique_ptr<btMultiBody> robot_;
  State state_;
  std::vector<double> q_;
  btAlignedObjectArray<btScalar> numbers_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

}  // namespace

[[gnu::visibility("default")]] std::unique_ptr<Candidate> make_bullet(
    std::span<const Body> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const JointType joint = bodies[i].joint;
    if (joint == JointType::kPlanar || (joint == JointType::kFloating && i > 0)) return nullptr;
  }
  return std::make_unique<Bullet>(bodies);
}

}  // namespace lockstep::bench
