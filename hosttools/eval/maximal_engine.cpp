#include <memory>

#include "eval/closed_engine.hpp"
#include "mechanism/from_tree.hpp"
#include "mechanism/joint_space.hpp"
#include "model/loop_rows.hpp"
#include "robot/maximal_state_file.hpp"
#include "robot/mechanism_robot.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

template <class T>
class MaximalWorkspace {
 public:
  explicit MaximalWorkspace(const Tree& tree) : tree_(tree), robot_(at_rest(tree)) {}

  ClosedAnswer answer(const DenseInput& in) {
    const Mechanism mechanism = from_tree(tree_, in.q, in.v, tree_.name, Passive::kRows);
    const MaximalState start = initial_state(mechanism);
    const Eigen::VectorXd &x = start.x, &v = start.v;
    const Eigen::VectorXd acting = in.tau + passive_torque(tree_, in.q, in.v, Passive::kRows);
    Eigen::VectorXd force = body_forces(tree_, x, acting);
    force += to_centres(tree_, x, in.external).reshaped();
    robot_.set(x, v);
    robot_.set_loads(force, {in.gravity[0], in.gravity[1], in.gravity[2]});
    const Eigen::VectorXd values = passive_values(tree_, mechanism, in.q);
    const std::vector<T> near(values.begin(), values.end());
    robot_.loads.near = near;
    if (const Status status = robot_.solve(); status != Status::kOk) throw Error(to_string(status));
    return {.out = {.vdot = joint_accelerations(tree_, x, v, robot_.out.v.template cast<double>()),
                    .reaction = to_links(tree_, x, constraint_forces(acting, x))},
            .mu = robot_.out.lambda.tail(row_count(tree_)).template cast<double>(),
            .generalized = {},
            .redundant = robot_.solver().redundant_rows()};
  }

 private:
  static Mechanism at_rest(const Tree& tree) {
    const DenseInput still = rest(tree.bodies);
    return from_tree(tree, still.q, still.v, tree.name, Passive::kRows);
  }

  // What each joint passes to its child: J_B^T lambda, its own torques, and those that couplings
  // add to them.
  Matrix6Xd constraint_forces(const Eigen::VectorXd& acting, const Eigen::VectorXd& x) const {
    Matrix6Xd wrenches = Matrix6Xd::Zero(6, static_cast<Eigen::Index>(tree_.bodies.size()));
    std::vector<Eigen::Index> children;  // of the joints' constraints, in order
    Eigen::Index at = 0;
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      const Body& body = tree_.bodies[i];
      const auto column = static_cast<Eigen::Index>(i);
      const int dofs = dof_count(body.joint);
      if (body.joint != JointType::kFloating) children.push_back(column);
      Eigen::VectorXd own = Eigen::VectorXd::Zero(acting.size());
      own.segment(at, dofs) = acting.segment(at, dofs);
      wrenches.col(column) = body_forces(tree_, x, own).segment<6>(6 * column);
      at += dofs;
    }
    for (const int body : passive_joints(tree_)) children.push_back(body);
    robot_.add_forces([&](std::size_t constraint) -> double* {
      const bool joint = constraint < children.size();
      if (!joint && constraint < children.size() + tree_.loops.size()) return nullptr;
      const Eigen::Index child =
          joint ? children[constraint] : robot_.table().link(static_cast<int>(constraint)).b;
      return wrenches.col(child).data();
    });
    return wrenches;
  }

  Tree tree_;
  MechanismRobot<T> robot_;
};

template <class T>
ClosedEngine engine(const Tree& tree) {
  return [work = std::make_shared<MaximalWorkspace<T>>(tree)](const DenseInput& in) {
    return work->answer(in);
  };
}

}  // namespace

ClosedEngine maximal_engine(const Tree& tree, EvalScalar scalar) {
  return scalar == EvalScalar::kFloat ? engine<float>(tree) : engine<double>(tree);
}

}  // namespace lockstep::host
