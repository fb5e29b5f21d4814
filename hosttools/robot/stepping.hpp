// How the state of any robot moves on by a step: what firmware/loop/stepping.hpp is to a compiled
// one, with the same bits. Steps in which no limit, friction or contact is in reach go as the
// settings say; the others go by semi-implicit Euler with impulses.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"
#include "model/loop_rows.hpp"
#include "oracle/world.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/kept_forces.hpp"
#include "robot/solvers.hpp"

namespace lockstep::host {

template <class T>
using LoopRobot = firmware::Robot<HostModel<T>, T>;
template <class T>
using LoopSettings = firmware::Settings<HostModel<T>, T>;

template <class T>
class HostStepping {
 public:
  using Bounding = HostBoundedStepper<T>;
  using Closed = ClosedStepper<HostModel<T>, T, kHostRows, TreeRows<T>>;
  using Input = typename Closed::Input;
  using Dofs = typename Closed::Dofs;
  static constexpr bool kHolds = true, kAnyIntegrator = true;

  HostStepping(const LoopRobot<T>& robot, const Tree& tree, const Bounds& bounds,
               Stabilization stabilization = Stabilization::kBaumgarte);

  const Input& make_input() const { return rest_; }

  Status step(Input& state, const LoopSettings<T>& settings, const DriveGains<T>& drives = {});

  // Of the steps to come, where none are handed in: gains of the caller's drives, which stay with
  // the caller; and the dry friction of a joint that rubs in this run, in the place of its own.
  void assist(const DriveGains<T>& gains) { gains_ = gains; }
  void rub(int body, const T& friction) {
    T& own = tables_.joints[at(body)].friction;
    if (own > T(0)) own = friction > kLeast ? friction : kLeast;
  }
  // And what pushes the joints from outside, beside the motors; empty: nothing.
  void push(const Dofs& efforts) { push_ = efforts; }

  // Of the last step: forces of the model's rows, and how far they are off.
  const Eigen::VectorXd& lambda() const { return lambda_; }
  ConstraintErrors<double> errors() const { return ConstraintErrors<double>(errors_); }
  // In contacts that yield, at the end of the last step, J.
  double stored() const { return stored_; }
  // Whether the last step went by impulses, and what they were; if not, no bound bears a force.
  bool was_bounded() const { return bounded_; }
  // What the joints of the last step passed to their bodies, a column each; nothing before it.
  Matrix6Xd reaction() const {
    if (!stepped_) return Matrix6Xd::Zero(6, bodies_);
    const auto cast = [](const auto& output) -> Matrix6Xd {
      return output.reaction.template cast<double>();
    };
    return !freely_ ? cast(bounding_->output())
           : open_  ? cast(open_->output())
                    : cast(closed_->output());
  }
  Spatial<T> wrench(int body) const {
    const auto own = reaction().col(body).template cast<T>().eval();
    return {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
  }
  // How many steps so far found no midpoint and went by Euler.
  std::uint64_t without_midpoint() const { return without_midpoint_; }
  const typename Bounding::Result& result() const { return bounding_->result(); }

  // What the next step's Gauss-Seidel or Newton's method starts from.
  std::vector<KeptForce> kept() const {
    if (!bounding_ || bounds_.solver == RowSolver::kPivoting) return {};
    return kept_forces(result());
  }
  void forget() {
    stepped_ = false;
    if (bounding_) bounding_->forget();
  }
  Status recall(const std::vector<KeptForce>& kept) {
    return bounding_ ? recall_kept(kept, *bounding_) : Status::kOk;
  }

 private:
  std::span<const RowKey> keys() const {
    return {result().keys.data(), static_cast<std::size_t>(result().row_count)};
  }

  Status step_driven(Input& state, const LoopSettings<T>& settings, const DriveGains<T>& drives);
  Status step_freely(Input& state, const LoopSettings<T>& settings, const DriveGains<T>& drives);

  // Their depth at its end, from the force k depth' + d (depth' - depth) / dt.
  double stored_in_contacts(double dt) const {
    const double k = bounds_.ground_stiffness, d = bounds_.ground_damping;
    double sum = 0;
    for (const auto& own : result().contacts()) {
      const double depth = -static_cast<double>(own.contact.distance);
      if (k == 0) continue;
      const double brakes = depth < 0 ? 0 : d;  // what arrives meets the spring alone
      const double end =
          (dt * static_cast<double>(own.normal) + brakes * depth) / (dt * k + brakes);
      sum += 0.5 * k * end * end;
    }
    return sum;
  }

  const Bounds bounds_;
  const Eigen::Index bodies_;
  const Stabilization stabilization_;
  static constexpr T kLeast = std::numeric_limits<T>::min();  // it still rubs
  BoundedTables<T> tables_;
  DriveGains<T> gains_ = {};
  Dofs push_;
  std::unique_ptr<Bounding> bounding_;
  std::unique_ptr<Closed> closed_;
  std::unique_ptr<JointStepper<HostModel<T>, T>> open_;
  Input rest_, before_;
  Eigen::VectorXd lambda_;
  ConstraintErrors<T> errors_;
  bool bounded_ = false, freely_ = true, stepped_ = false;
  double stored_ = 0;
  std::uint64_t without_midpoint_ = 0;
};

// The verbs are not inline, so that they are compiled once: in runtime_float.cpp and
// runtime_double.cpp.
template <class T>
HostStepping<T>::HostStepping(const LoopRobot<T>& robot, const Tree& tree, const Bounds& bounds,
                              Stabilization stabilization)
    : bounds_(bounds),
      bodies_(static_cast<Eigen::Index>(tree.bodies.size())),
      stabilization_(stabilization),
      tables_(tree, bounds),
      rest_(Problem<HostModel<T>, T>(robot.view()).make_input()),
      before_(rest_),
      lambda_(Eigen::VectorXd::Zero(row_count(tree))) {
  const HostModel<T>& model = robot.view();
  if (Bounded(tree, bounds).any()) {
    bounding_ =
        std::make_unique<Bounding>(model, TreeRows<T>(tree), tables_.joints, tables_.scene(bounds));
  }
  if (is_closed(tree)) {
    closed_ = std::make_unique<Closed>(model, TreeRows<T>(tree));
  } else {
    open_ = std::make_unique<JointStepper<HostModel<T>, T>>(model);
  }
}

template <class T>
Status HostStepping<T>::step(Input& state, const LoopSettings<T>& settings,
                             const DriveGains<T>& given) {
  const DriveGains<T>& drives = given.kp != nullptr ? given : gains_;
  if (push_.size() == 0) return step_driven(state, settings, drives);
  state.tau += push_;
  const Status status = step_driven(state, settings, drives);
  state.tau -= push_;  // what the motors did
  return status;
}

template <class T>
Status HostStepping<T>::step_driven(Input& state, const LoopSettings<T>& settings,
                                    const DriveGains<T>& drives) {
  stepped_ = freely_ = true;
  if (!bounding_) return step_freely(state, settings, drives);
  before_ = state;
  const Status status =
      bounding_->step(state, bounded_settings(settings.dt, bounds_), {.gains = drives});
  if (!has_moved(status)) return status;
  const bool as_asked = settings.integrator == Integrator::kSemiImplicitEuler &&
                        stabilization_ == Stabilization::kBaumgarte;
  bounded_ = std::ranges::any_of(keys(), [](const RowKey& key) { return key.of != RowOf::kModel; });
  stored_ = bounded_ ? stored_in_contacts(static_cast<double>(settings.dt)) : 0;
  if (!bounded_ && !as_asked) {
    state = before_;
    return step_freely(state, settings, drives);
  }
  freely_ = false;
  for (Eigen::Index i = 0; i < lambda_.size(); ++i) {
    lambda_[i] = static_cast<double>(result().force(RowOf::kModel, static_cast<int>(i)));
  }
  errors_ = result().errors;
  return status;
}

template <class T>
Status HostStepping<T>::step_freely(Input& state, const LoopSettings<T>& settings,
                                    const DriveGains<T>& drives) {
  const Status status = open_ ? open_->step(state, settings.dt, settings.integrator, drives)
                              : closed_->step(state,
                                              {.dt = settings.dt,
                                               .integrator = settings.integrator,
                                               .stabilization = stabilization_,
                                               .gains = {},
                                               .tolerance = T(0)},
                                              drives);
  without_midpoint_ += status == Status::kStoppedShort;
  if (open_ || !has_moved(status)) return status;
  for (Eigen::Index i = 0; i < lambda_.size(); ++i) {
    lambda_[i] = static_cast<double>(closed_->forces().mu[static_cast<std::size_t>(i)]);
  }
  errors_ = closed_->errors();
  return status;
}

extern template class HostStepping<float>;
extern template class HostStepping<double>;

}  // namespace lockstep::host
