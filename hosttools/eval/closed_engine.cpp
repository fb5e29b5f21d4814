#include "eval/closed_engine.hpp"

#include <memory>

#include "eval/maximal_engine.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "model/loop_rows.hpp"
#include "model/rotor_map.hpp"
#include "robot/solvers.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

void check(Status status) {
  if (status != Status::kOk) throw Error(to_string(status));
}

// What a motion needs beyond the efforts: the constraints' forces over the joints' velocities.
template <class T>
class Beyond {
 public:
  explicit Beyond(const Tree& tree) : model_(to_table<T>(tree)), inverse_(*model_) {}

  const auto& model() const { return *model_; }
  Eigen::VectorXd of(const DenseInput& state, const Eigen::VectorXd& vdot) {
    auto motion = inverse_.make_input();
    motion.q = state.q.cast<T>(), motion.v = state.v.cast<T>(), motion.vdot = vdot.cast<T>();
    motion.gravity = state.gravity.cast<T>();
    const typename Inverse::Wrenches all = state.external.cast<T>();
    auto tau = inverse_.make_output();
    check(inverse_.inverse_dynamics(motion, all, tau));
    return (tau - state.tau.cast<T>()).template cast<double>();
  }

 private:
  using Inverse = InverseDynamics<HostModel<T>, T>;
  std::unique_ptr<HostModel<T>> model_;
  Inverse inverse_;
};

// Everything a call needs, made once; on the heap, it is too large for a stack.
template <class T>
struct Workspace {
  using Solver = HostConstrainedSolver<T>;

  RotorMap map;
  TreeRows<T> rows;
  int count;                            // of the rows
  std::unique_ptr<HostModel<T>> model;  // with rotors merged
  Beyond<T> whole;                      // with all joints
  Solver solver;
  HostSolver<T> open;
  typename Solver::Input in;
  typename Solver::Wrenches external;
  typename Solver::Output out;
  typename Solver::Forces forces;

  Workspace(const Tree& tree, const Tree& merged)
      : map(tree, merged),
        rows(merged),
        count(row_count(merged)),
        model(to_table<T>(merged)),
        whole(tree),
        solver(*model),
        open(whole.model()),
        in(solver.make_input()),
        external(solver.make_wrenches()),
        out(solver.make_output()) {}

  ClosedAnswer answer(const DenseInput& state) {
    const DenseInput left = map.to_merged(state);
    in.q = left.q.cast<T>();
    in.v = left.v.cast<T>();
    in.tau = left.tau.cast<T>();
    in.gravity = left.gravity.cast<T>();
    external = left.external.cast<T>();
    check(solver.forward_dynamics(in, external, rows, out, forces));
    ClosedAnswer answer = {
        .out = {.vdot = map.whole_v(out.vdot.template cast<double>()), .reaction = {}},
        .mu = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(forces.mu.data(), count)
                  .template cast<double>(),
        .generalized = {},
        .redundant = forces.redundant};
    answer.generalized = whole.of(state, answer.out.vdot);
    answer.out.reaction = reactions(state, answer.generalized);
    return answer;
  }

 private:
  // Merged rotors have joints too: theirs are what the open tree passes on under all forces.
  Matrix6Xd reactions(const DenseInput& state, const Eigen::VectorXd& constraint) {
    const Matrix6Xd left = out.reaction.template cast<double>();
    if (model->body_count() == whole.model().body_count()) return left;
    auto all = open.make_input();
    all.q = state.q.cast<T>(), all.v = state.v.cast<T>();
    all.tau = (state.tau + constraint).cast<T>();
    all.gravity = state.gravity.cast<T>();
    const typename Solver::Wrenches wrenches = state.external.cast<T>();
    auto answer = open.make_output();
    check(open.forward_dynamics(all, wrenches, answer));
    Matrix6Xd result = map.whole_columns(left);
    for (Eigen::Index i = 0; i < result.cols(); ++i) {
      if (map.is_rotor(i)) result.col(i) = answer.reaction.col(i).template cast<double>();
    }
    return result;
  }
};

template <class T>
ClosedEngine engine(const Tree& tree, const Tree& merged) {
  return [work = std::make_shared<Workspace<T>>(tree, merged)](const DenseInput& in) {
    return work->answer(in);
  };
}

template <class T>
ClosedEngine by_bodies(const Tree& tree, EvalScalar scalar) {
  return [solve = maximal_engine(tree, scalar),
          whole = std::make_shared<Beyond<T>>(tree)](const DenseInput& in) {
    const MaximalAnswer answer = solve(in);
    return ClosedAnswer{answer.out, answer.mu, whole->of(in, answer.out.vdot), answer.redundant};
  };
}

}  // namespace

ClosedEngine make_closed_engine(const Tree& tree, const Tree& merged, EvalScalar scalar,
                                EvalMethod method) {
  const bool in_float = scalar == EvalScalar::kFloat;
  if (method == EvalMethod::kMaximal) {
    return in_float ? by_bodies<float>(tree, scalar) : by_bodies<double>(tree, scalar);
  }
  if (row_count(merged) > kHostRows) {
    throw Error("robot '" + tree.name + "': its loops and couplings have " +
                std::to_string(row_count(merged)) + " rows, and at most " +
                std::to_string(kHostRows) + " can act; choose loop types with fewer rows");
  }
  return in_float ? engine<float>(tree, merged) : engine<double>(tree, merged);
}

}  // namespace lockstep::host
