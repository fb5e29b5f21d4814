#include "eval/maximal_engine.hpp"

#include <memory>

#include "mechanism/from_tree.hpp"
#include "mechanism/joint_space.hpp"
#include "mechanism/solver.hpp"
#include "model/loop_rows.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

template <class T>
class Workspace {
 public:
  explicit Workspace(const Tree& tree) : tree_(tree) {
    const DenseInput still = rest(tree.bodies);
    table_ = to_table<T>(from_tree(tree, still.q, still.v, tree.name));
    solver_ = std::make_unique<Solver>(*table_);
  }

  MaximalAnswer answer(const DenseInput& in) {
    const Mechanism mechanism = from_tree(tree_, in.q, in.v, tree_.name);
    const Eigen::VectorXd x = to_vector(mechanism.x0), v = to_vector(mechanism.v0);
    const Eigen::VectorXd acting = in.tau - damping(in.v);
    Eigen::VectorXd force = body_forces(tree_, x, acting);
    force += to_centres(tree_, x, in.external).reshaped();

    auto state = solver_->make_state();
    auto loads = solver_->make_loads();
    auto out = solver_->make_solution();
    state.x = x.cast<T>();
    state.v = v.cast<T>();
    loads.force = force.cast<T>();
    loads.gravity = in.gravity.cast<T>();
    Status status = solver_->factor(state);
    if (status == Status::kOk) status = solver_->accelerations(state, loads, out);
    if (status != Status::kOk) throw Error(to_string(status));
    const int loops = row_count(tree_);
    return {.out = {.vdot = joint_accelerations(tree_, x, v, out.v.template cast<double>()),
                    .reaction = to_links(tree_, x, constraint_forces(state, out, acting, x))},
            .mu = out.lambda.tail(loops).template cast<double>(),
            .redundant = solver_->redundant_rows()};
  }

 private:
  using Solver = HostLagrange<T>;

  Eigen::VectorXd damping(const Eigen::VectorXd& v) const {
    Eigen::VectorXd lost(v.size());
    Eigen::Index at = 0;
    for (const Body& body : tree_.bodies) {
      const int dofs = dof_count(body.joint);
      lost.segment(at, dofs) = body.damping * v.segment(at, dofs);
      at += dofs;
    }
    return lost;
  }

  // What each joint passes to its child: J_B^T lambda, its own torques, and those that couplings
  // add to them.
  Matrix6Xd constraint_forces(const typename Solver::State& state,
                              const typename Solver::Solution& out, const Eigen::VectorXd& acting,
                              const Eigen::VectorXd& x) const {
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
    std::size_t next = 0;
    table_->constraints([&](const maximal::ConstraintPlace& place, const auto& evaluate) {
      const std::size_t constraint = next++;
      const bool joint = constraint < children.size();
      if (!joint && constraint < children.size() + tree_.loops.size()) return;
      const Eigen::Index child =
          joint ? children[constraint] : table_->link(static_cast<int>(constraint)).b;
      const auto blocks = evaluate(state.x.data(), state.v.data(), state.time);
      for (int row = 0; row < place.dimension; ++row) {
        const auto lambda = static_cast<double>(out.lambda[place.lambda + row]);
        for (int axis = 0; axis < 6; ++axis) {
          wrenches(axis, child) +=
              lambda * static_cast<double>(blocks.J_B[maximal::at(row)][maximal::at(axis)]);
        }
      }
    });
    return wrenches;
  }

  Tree tree_;
  std::unique_ptr<HostMechanism<T>> table_;
  std::unique_ptr<Solver> solver_;
};

template <class T>
MaximalEngine engine(const Tree& tree) {
  return [work = std::make_shared<Workspace<T>>(tree)](const DenseInput& in) {
    return work->answer(in);
  };
}

}  // namespace

MaximalEngine maximal_engine(const Tree& tree, EvalScalar scalar) {
  return scalar == EvalScalar::kFloat ? engine<float>(tree) : engine<double>(tree);
}

}  // namespace lockstep::host
