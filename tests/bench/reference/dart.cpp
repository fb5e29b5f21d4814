// DART's articulated-body algorithm, on what its own reader of URDF makes of the file. Its free
// joint has a rotation vector for a position and a body twist, angular part first, for velocity.
#include <dart/config.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <stdexcept>

#include "peer.hpp"

namespace reference {

namespace {

using Loader = dart::utils::DartLoader;

class Dart : public Peer {
 public:
  explicit Dart(const Robot& robot) : robot_(robot) {
    Loader loader;
    // links without <inertial> would have one kilogram, and none brings warnings
    const dart::dynamics::Inertia nothing(1e-200, Eigen::Vector3d::Zero(),
                                          1e-200 * Eigen::Matrix3d::Identity());
    using Root = Loader::RootJointType;
    loader.setOptions({nullptr, robot.floating ? Root::FLOATING : Root::FIXED, nothing});
    skeleton_ = loader.parseSkeletonString(text_without_shapes(robot), "");
    if (!skeleton_) throw std::runtime_error(robot.file + ": DART cannot read it");
    skeleton_->setGravity({0, 0, kGravity});
    for (const Body& body : robot.bodies) {
      dart::dynamics::BodyNode* node = skeleton_->getBodyNode(body.link);
      if (node == nullptr) throw std::runtime_error(robot.file + ": DART has no link " + body.link);
      dart::dynamics::Joint* joint = node->getParentJoint();
      for (std::size_t k = 0; k < joint->getNumDofs(); ++k) joint->setDampingCoefficient(k, 0);
      nodes_.push_back(node);
    }
    if (static_cast<int>(skeleton_->getNumDofs()) != robot.dofs()) {
      throw std::runtime_error(robot.file + ": DART has other joints");
    }
  }

  std::string name() const override { return "DART " DART_VERSION; }
  std::string how() const override {
    return "its own reader of URDF; accelerations by computeForwardDynamics, joint wrenches by "
           "BodyNode::getBodyForce";
  }

  Answer answer(const State& state) override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Body& body = robot_.bodies[i];
      dart::dynamics::Joint* joint = nodes_[i]->getParentJoint();
      joint->setPositions(positions(body.type, state.q.data() + body.q));
      for (int k = 0; k < dof_count(body.type); ++k) {
        joint->setVelocity(index(body.type, k), state.v[body.v + k]);
        joint->setForce(index(body.type, k), state.tau[body.v + k]);
      }
    }
    skeleton_->computeForwardDynamics();
    return read();
  }

 private:
  Answer read() const {
    Answer answer;
    answer.vdot.resize(robot_.dofs());
    answer.reaction.resize(6, static_cast<Eigen::Index>(nodes_.size()));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Body& body = robot_.bodies[i];
      for (int k = 0; k < dof_count(body.type); ++k) {
        answer.vdot[body.v + k] = nodes_[i]->getParentJoint()->getAcceleration(index(body.type, k));
      }
      const Eigen::Vector6d& wrench = nodes_[i]->getBodyForce();  // moment first
      answer.reaction.col(static_cast<Eigen::Index>(i)) << wrench.tail<3>(), wrench.head<3>();
    }
    return answer;
  }

  static std::size_t index(JointType type, int k) {
    return static_cast<std::size_t>(type == JointType::kFloating ? (k + 3) % 6 : k);
  }

  static Eigen::VectorXd positions(JointType type, const double* q) {
    if (type != JointType::kFloating) return Eigen::VectorXd::Constant(1, *q);
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    X.linear() = Eigen::Quaterniond(q + 3).toRotationMatrix();
    X.translation() = Eigen::Map<const Eigen::Vector3d>(q);
    return dart::dynamics::FreeJoint::convertToPositions(X);
  }

  Robot robot_;
  dart::dynamics::SkeletonPtr skeleton_;
  std::vector<dart::dynamics::BodyNode*> nodes_;
};

}  // namespace

std::unique_ptr<Peer> make_dart(const Robot& robot) {
  if (robot.has(JointType::kBall) || robot.closed()) return nullptr;
  return std::make_unique<Dart>(robot);
}

}  // namespace reference
