// Constraint anticipation (Baraff 1996, section 8): auxiliary rows on a tree, loops, couplings and
// the caller's own. Three steps around the k x k system, so that any solver can stand in the
// middle:
//   begin(in)  add(...) ...  anticipate(system)  <solve for mu>  finish(mu, out)
// Cost: three passes over the bodies, one more over those that rows push, and for k rows
// O(k depth) of sweeps and O(k^2 depth) of products.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "lockstep/auxiliary/closure.hpp"
#include "lockstep/auxiliary/factored_tree.hpp"
#include "lockstep/auxiliary/row.hpp"
#include "lockstep/border.hpp"
#include "lockstep/problem.hpp"
#include "lockstep/rows/anticipate.hpp"
#include "lockstep/rows/held.hpp"

namespace lockstep {

// A joint of one coordinate and its share in a coupling.
template <class T>
struct JointWeight {
  int body;
  T coefficient;
};

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>. T: a plain number.
// kMaxWorkingRows: how many of the rows may push elsewhere than they measure (K is not J^T).
// Tree: a FactoredTree of the model.
template <class Model, class T, int kMaxRows, int kMaxWorkingRows = 0, int kMaxTerms = 4 * kMaxRows,
          class Tree = auxiliary::FactoredTree<typename ViewOf<Model, T>::Type, T>>
class Anticipation : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;
  using Problem<View, T>::Problem;
  using Term = auxiliary::Term<T>;
  using System = rows::System<T, kMaxRows>;
  using Multipliers = rows::Values<T, kMaxRows>;

  // Every step returns a status; on any but kOk what it would write is as it was.

  // Places and factors the tree; there are no rows yet. `step`: accelerations that are constant
  // for a step in which joints are implicit (implicit.hpp); none: those of the moment.
  // `has_springs`: in.tau has what springs do in it.
  [[nodiscard]] Status begin(const Input& in, const Implicit<T>& step = {},
                             bool has_springs = false) {
    return begin(in, nullptr, step, has_springs);
  }
  // The same with a wrench on every body: force and moment at its link's origin, in link axes.
  [[nodiscard]] Status begin(const Input& in, const Wrenches& external,
                             const Implicit<T>& step = {}) {
    return begin(in, &external, step);
  }

  // A row: the sum of its terms' rates has the acceleration J vdot + c, and c consists of `bias`
  // and of what velocities cause within the tree.
  [[nodiscard]] Status add(std::span<const Term> terms, const T& bias) {
    return whole([&] { return append(terms, bias); });
  }

  // The rows of a constraint between frames on bodies a and b, or on the world: a Between, or an
  // AnyConstraint. taken(row) sees each LoopRow that was added.
  template <class Loop, class Taken>
  requires(constraint::kUsesFrames<Loop>) [[nodiscard]] Status
      add(const Loop& loop, int a, int b, const T& time, Taken&& taken) {
    return whole([&] {
      if (!has(a) || !has(b)) return Status::kBadFrame;
      if (const Status status = loop.check(); status != Status::kOk) return status;
      return auxiliary::close_loop(loop, a, tree_.motion(a), b, tree_.motion(b), time,
                                   [&](const auto& row) {
                                     const Status status = append(row.terms(), row.bias());
                                     return status == Status::kOk ? taken(row) : status;
                                   });
    });
  }
  template <class Loop>
  requires(constraint::kUsesFrames<Loop>) [[nodiscard]] Status
      add(const Loop& loop, int a, int b, const T& time = T(0)) {
    return add(loop, a, b, time, [](const auto&) { return Status::kOk; });
  }

  // The sum of coefficient * v is constant.
  [[nodiscard]] Status add(std::span<const JointWeight<T>> coupling) {
    return whole([&] {
      Status status = rows_.start(T(0));
      for (const JointWeight<T>& weight : coupling) {
        if (status != Status::kOk) break;
        status = append_joint(weight);
      }
      return status;
    });
  }

  int row_count() const { return rows_.size(); }
  auxiliary::Row<T> row(int i) const { return rows_[i]; }
  // A row that pushes elsewhere than it measures.
  bool has_working_rows() const { return rows_.has_working(); }

  // Where a body is and how it moves, after begin: for rows that depend on it, as contacts do.
  auxiliary::BodyMotion<T> motion(int body) const { return tree_.motion(body); }

  // How a row of one term would answer to its own unit force; after begin.
  T response(const Term& term) {
    if constexpr (kMaxRows == 0) return T(0);
    Response& own = motion_[0];
    tree_.template respond<kMaxTerms>(this->model(), {{&term, 1}, T(0), false},
                                      auxiliary::Side::kMotion, own);
    return tree_.shared(this->model(), own, own);
  }

  // The rows' accelerations A mu + b as a function of their forces; what kind of rows they are is
  // the caller's. A row that the tree holds by itself becomes an exact zero of A.
  [[nodiscard]] Status anticipate(System& system) {
    if (!factored_) return Status::kOutOfOrder;
    const int count = rows_.size();
    const Status status = rows::anticipate<T, kMaxRows>(Sweeps{*this}, count, system.A);
    if (status != Status::kOk) return status;
    system.count = count;
    for (int i = 0; i < count; ++i) {
      system.b[at(i)] = motion_[at(i)].free_motion + rows_[i].bias + T(0);
    }
    anticipated_ = true;
    return Status::kOk;
  }

  // For a NewtonTree, whose first pass this is: then come rows, its loads and its `eliminate`, then
  // `anticipate` and `push`, which brings the rows' forces, and its `accelerate`.
  [[nodiscard]] Status place(const Input& in, const Wrenches* external, const Implicit<T>& step,
                             bool has_rows) {
    return start(in, external, [&](const PassInput<T>& ask) {
      tree_.place(this->model(), ask, step, has_rows);
      return true;
    });
  }
  Tree& tree() { return tree_; }
  void push(const Multipliers& mu) {
    for (int i = 0; i < rows_.size(); ++i) tree_.push(this->model(), rows_[i], mu[at(i)]);
    tree_.hand_on(this->model());
  }
  // Of a row, after that.
  T acceleration(int i) const {
    const auxiliary::Row<T> row = rows_[i];
    T sum = row.bias;
    for (const Term& term : row.terms) {
      if (term.body == kWorld) continue;
      if (!term.joint) {
        const Spatial<T>& a = tree_.acceleration(term.body);
        sum = sum + dot(term.value, Spatial<T>{a.linear + tree_.falling(term.body), a.angular});
        continue;
      }
      const BodyData<T>& body = this->model().bodies()[at(term.body)];
      dispatch(body.joint, [&]<JointType kJoint>() {
        for_free_axes<kJoint>(
            [&](auto k, auto axis) { sum = sum + term.value[axis] * tree_.vdot(body.v + k()); });
      });
    }
    return sum;
  }

  // What impulses mu of the rows do to the velocities: M^-1 K mu, with the factor of the last
  // begin. Comes after anticipate or finish, any number of times; then comes begin.
  [[nodiscard]] Status change(const Multipliers& mu, Dofs& dv) {
    const View& model = this->model();
    if (!anticipated_) return Status::kOutOfOrder;
    if (dv.size() != model.counts().v) return Status::kWrongSize;
    if (!all_finite(mu.data(), rows_.size())) return Status::kNotFinite;
    factored_ = false;
    for (int i = 0; i < rows_.size(); ++i) tree_.strike(rows_[i], mu[at(i)]);
    return tree_.change(model, dv.data()) ? Status::kOk : Status::kOverflow;
  }

  // The last back-solve, with the rows' forces. The next call is begin, or change.
  [[nodiscard]] Status finish(const Multipliers& mu, Output& out) {
    const View& model = this->model();
    if (!factored_) return Status::kOutOfOrder;
    if (!fits(out)) return Status::kWrongSize;
    if (!all_finite(mu.data(), rows_.size())) return Status::kNotFinite;
    factored_ = false;
    for (int i = 0; i < rows_.size(); ++i) tree_.push(model, rows_[i], mu[at(i)]);
    if (!tree_.resolve(model)) return Status::kOverflow;
    const PassOutput<T> answer = tree_.answer();
    hand_out(answer.vdot, out.vdot);
    hand_out(answer.reaction, out.reaction);
    hand_out(answer.lambda, out.lambda);
    return Status::kOk;
  }

 protected:
  Status begin(const Input& in, const Wrenches* external, const Implicit<T>& step,
               bool has_springs = false) {
    const View& model = this->model();
    return start(in, external, [&](const PassInput<T>& ask) {
      return tree_.factor(model, ask, auxiliary::squared_gyration<T>(model.bodies()), step,
                          has_springs);
    });
  }

 private:
  using Response = auxiliary::Response<View, T>;

  // Checks what was given. `factor` is false if the tree cannot be.
  template <class Factor>
  Status start(const Input& in, const Wrenches* external, Factor&& factor) {
    const View& model = this->model();
    const Counts counts = model.counts();
    factored_ = anticipated_ = false;
    rows_.clear();
    if (in.q.size() != counts.q || in.v.size() != counts.v || in.tau.size() != counts.v ||
        (external != nullptr && external->cols() != model.body_count())) {
      return Status::kWrongSize;
    }
    if (const Status status = check_border<T>(model, in, external).status(0);
        status != Status::kOk) {
      return status;
    }
    factored_ = factor(PassInput<T>{.q = in.q.data(),
                                    .v = in.v.data(),
                                    .tau = in.tau.data(),
                                    .gravity = in.gravity.data(),
                                    .external = external != nullptr ? external->data() : nullptr});
    return factored_ ? Status::kOk : Status::kSingular;
  }

  // Rows that do not come in whole do not come at all.
  template <class F>
  Status whole(F&& add) {
    if (!factored_) return Status::kOutOfOrder;
    const int before = rows_.size();
    const Status status = add();
    if (status != Status::kOk) rows_.shorten(before);
    return status;
  }

  Status append(std::span<const Term> terms, const T& bias) {
    Status status = rows_.start(bias);
    for (const Term& term : terms) {
      if (status != Status::kOk) return status;
      if (!has(term.body) || (term.joint && term.body == kWorld)) return Status::kBadFrame;
      status = rows_.append(term);
    }
    return status;
  }

  Status append_joint(const JointWeight<T>& weight) {
    if (!has(weight.body) || weight.body == kWorld) return Status::kBadFrame;
    const JointType joint = this->model().bodies()[at(weight.body)].joint;
    if (dof_count(joint) != 1) return Status::kBadJoint;
    return rows_.append(auxiliary::joint_term(joint, weight.body, 0, weight.coefficient));
  }

  // For rows::anticipate. A row that pushes elsewhere than it measures is swept for both.
  struct Sweeps {
    Anticipation& own;
    int working = 0;

    bool works(int i) const { return own.rows_[i].works; }
    bool sweep(int i) {
      bool finite = sweep(i, auxiliary::Side::kMotion, own.motion_[at(i)]);
      own.force_[at(i)] = &own.motion_[at(i)];
      if constexpr (kMaxWorkingRows > 0) {
        if (!works(i)) return finite;
        own.force_[at(i)] = &own.work_[at(working)];
        finite &= sweep(i, auxiliary::Side::kForce, own.work_[at(working++)]);
      }
      return finite;
    }
    T product(int i, int j) const {
      const Response &motion = own.motion_[at(i)], &force = *own.force_[at(j)];
      return &motion == &force ? motion.own : own.tree_.shared(own.model(), motion, force) + T(0);
    }

   private:
    bool sweep(int i, auxiliary::Side side, Response& response) {
      own.tree_.template respond<kMaxTerms>(own.model(), own.rows_[i], side, response);
      response.own = own.tree_.shared(own.model(), response, response) + T(0);
      if (rows::is_held(response.own, response.scale, rows::kHeldByTree<T>)) {
        response.own = T(0), response.count = 0;
      }
      return is_finite(response.own) && is_finite(response.free_motion) &&
             is_finite(response.scale);
    }
  };

  bool has(int body) const { return body >= kWorld && body < this->model().body_count(); }

  bool fits(const Output& out) const {
    const Counts counts = this->model().counts();
    return out.vdot.size() == counts.v && out.reaction.cols() == this->model().body_count() &&
           out.lambda.size() == counts.lambda;
  }

  // Adding zero makes +0 of -0, as in Solver.
  template <class Values>
  static void hand_out(const T* from, Values& to) {
    for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] = from[i] + T(0);
  }

  Tree tree_;
  auxiliary::RowList<T, kMaxRows, kMaxWorkingRows, kMaxTerms> rows_;
  std::array<Response, at(kMaxRows)> motion_;
  std::array<Response, at(kMaxWorkingRows)> work_;
  std::array<const Response*, at(kMaxRows)> force_;  // a row's own, or its work_
  bool factored_ = false, anticipated_ = false;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
