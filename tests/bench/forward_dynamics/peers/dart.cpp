// DART's articulated-body algorithm. Its free and ball joints have rotation vectors for positions
// and body twists, angular part first, for velocities.
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "candidate.hpp"
#include "central_inertia.hpp"

namespace lockstep::bench {

namespace {

namespace dd = dart::dynamics;

template <class Joint>
dd::BodyNode* add_body(dd::Skeleton& skeleton, dd::BodyNode* parent, const Body& body) {
  using Rotation = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const std::string number = std::to_string(skeleton.getNumBodyNodes());
  typename Joint::Properties joint;
  joint.mName = "joint_" + number;
  joint.mT_ParentBodyToJoint.linear() = Eigen::Map<const Rotation>(body.R_PJ.data());
  joint.mT_ParentBodyToJoint.translation() = Eigen::Map<const Eigen::Vector3d>(body.p_PJ.data());
  if constexpr (requires { joint.mAxis; }) joint.mAxis = Eigen::Vector3d::UnitZ();

  const auto [mass, com, I] = central_inertia(body);
  Eigen::Matrix3d moment;
  moment << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  dd::BodyNode::Properties node;
  node.mName = "body_" + number;
  node.mInertia = dd::Inertia(mass, Eigen::Map<const Eigen::Vector3d>(com.data()), moment);
  return skeleton.createJointAndBodyNodePair<Joint>(parent, joint, node).second;
}

dd::BodyNode* add_body(dd::Skeleton& skeleton, dd::BodyNode* parent, const Body& body) {
  switch (body.joint) {
    case JointType::kRevolute: return add_body<dd::RevoluteJoint>(skeleton, parent, body);
    case JointType::kPrismatic: return add_body<dd::PrismaticJoint>(skeleton, parent, body);
    case JointType::kBall: return add_body<dd::BallJoint>(skeleton, parent, body);
    case JointType::kFloating: return add_body<dd::FreeJoint>(skeleton, parent, body);
    default: throw std::invalid_argument("no planar joints here");
  }
}

// Where DART keeps the k-th of a body's velocities: angular parts come first.
std::size_t dart_index(JointType joint, int k) {
  return static_cast<std::size_t>(joint == JointType::kFloating ? (k + 3) % 6 : k);
}

class Dart : public Candidate {
 public:
  explicit Dart(std::span<const Body> bodies)
      : bodies_(bodies.begin(), bodies.end()), skeleton_(dd::Skeleton::create()) {
    skeleton_->setGravity({0, 0, kGravity});
    std::vector<dd::BodyNode*> nodes;
    for (const Body& body : bodies) {
      dd::BodyNode* parent =
          body.parent == kWorld ? nullptr : nodes[static_cast<std::size_t>(body.parent)];
      nodes.push_back(add_body(*skeleton_, parent, body));
      joints_.push_back(nodes.back()->getParentJoint());
    }
  }

  void set(const State& state) override {
    const double *q = state.q.data(), *v = state.v.data(), *tau = state.tau.data();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const JointType type = bodies_[i].joint;
      joints_[i]->setPositions(positions(type, q));
      for (int k = 0; k < dof_count(type); ++k) {
        joints_[i]->setVelocity(dart_index(type, k), *v++);
        joints_[i]->setForce(dart_index(type, k), *tau++);
      }
      q += config_count(type);
    }
    positions_[0] = skeleton_->getPositions();
    positions_[1] = positions_[0].array() + 1e-9;
    skeleton_->setPositions(positions_[1]);
    next_ = 0;
  }

  // DART computes anew only what hangs on coordinates that changed, so they change every time.
  void run(int times) override {
    for (int i = 0; i < times; ++i) {
      skeleton_->setPositions(positions_[next_]);
      skeleton_->computeForwardDynamics();
      next_ = 1 - next_;
    }
  }

  std::vector<double> vdot() const override {
    std::vector<double> result;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const JointType type = bodies_[i].joint;
      for (int k = 0; k < dof_count(type); ++k) {
        result.push_back(joints_[i]->getAcceleration(dart_index(type, k)));
      }
    }
    return result;
  }

 private:
  static Eigen::VectorXd positions(JointType type, const double* q) {
    if (type == JointType::kBall) {
      return dd::BallJoint::convertToPositions(Eigen::Quaterniond(q).toRotationMatrix());
    }
    if (type == JointType::kFloating) {
      Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
      X.linear() = Eigen::Quaterniond(q + 3).toRotationMatrix();
      X.translation() = Eigen::Map<const Eigen::Vector3d>(q);
      return dd::FreeJoint::convertToPositions(X);
    }
    return Eigen::VectorXd::Constant(1, *q);
  }

  std::vector<Body> bodies_;
  dd::SkeletonPtr skeleton_;
  std::vector<dd::Joint*> joints_;
  Eigen::VectorXd positions_[2];
  int next_ = 0;
};

}  // namespace

[[gnu::visibility("default")]] std::unique_ptr<Candidate> make_dart(std::span<const Body> bodies) {
  return std::make_unique<Dart>(bodies);
}

}  // namespace lockstep::bench
