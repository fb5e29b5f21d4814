// The robot itself where joints have ends or rub, or where bodies touch: what firmware::Plant is to
// a free tree. Steps in which no such row is in reach go as the settings say; the others go by
// semi-implicit Euler with impulses.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/joint_stepper.hpp"
#include "loop/settings.hpp"
#include "model/loop_rows.hpp"
#include "sim/bounded_tables.hpp"

namespace lockstep::host::sim {

template <class T>
class BoundedPlant {
 public:
  using Model = TableModel<T, kHostBodies>;
  using Stepper = HostBoundedStepper<T>;
  using Closed = ClosedStepper<Model, T, kHostRows, TreeRows<T>>;
  using Configs = typename Stepper::Configs;
  using Dofs = typename Stepper::Dofs;
  using Motion = typename Stepper::Input;

  BoundedPlant(const Tree& tree, const Model& model, const BoundOptions& options,
               maximal::Stabilization stabilization)
      : model_(model),
        options_(options),
        stabilization_(stabilization),
        tables_(tree, options),
        stepper_(std::make_unique<Stepper>(model, TreeRows<T>(tree), tables_.bounds,
                                           tables_.scene(options))),
        motion_(stepper_->make_input()),
        next_(motion_),
        lambda_(Eigen::VectorXd::Zero(row_count(tree))) {
    if (is_closed(tree)) {
      closed_ = std::make_unique<Closed>(model, TreeRows<T>(tree));
    } else {
      open_ = std::make_unique<JointStepper<Model, T>>(model);
    }
  }

  const Motion& motion() const { return motion_; }
  std::uint64_t step() const { return step_; }
  std::uint64_t hash() const { return hash_.value(); }
  const Eigen::VectorXd& lambda() const { return lambda_; }
  const maximal::Drift<T>& drift() const { return drift_; }
  // Of the last step, and whether it went by impulses; if not, no row bears a force.
  const typename Stepper::Result& result() const { return stepper_->result(); }
  bool was_bounded() const { return bounded_; }

  Motion& incoming() { return next_; }

  // On failure everything stays as it was.
  Status set_state(std::uint64_t step, std::uint64_t hash) {
    Border<T> border = check_configuration<T>(model_, next_.q.data());
    border.finite &= all_finite(next_.v.data(), static_cast<int>(next_.v.size()));
    if (!border.passed()) return border.status(0);
    motion_ = next_;
    step_ = step;
    hash_ = Hash(hash);
    return Status::kOk;
  }

  Status set_command() {
    motion_.tau = next_.tau;
    return Status::kOk;
  }

  Status advance(const firmware::Settings<Model, T>& settings) {
    motion_.gravity = settings.gravity;
    next_ = motion_;
    Status status = stepper_->step(next_, bounded_settings(settings.dt, options_));
    if (status != Status::kOk) return status;
    bounded_ =
        std::ranges::any_of(keys(), [](const RowKey& key) { return key.of != RowOf::kModel; });
    const bool as_asked = settings.integrator == Integrator::kSemiImplicitEuler &&
                          stabilization_ == maximal::Stabilization::kBaumgarte;
    if (!bounded_ && !as_asked) {
      next_ = motion_;
      status = step_freely(settings);
      if (status != Status::kOk) return status;
    } else {
      for (Eigen::Index i = 0; i < lambda_.size(); ++i) {
        lambda_[i] = static_cast<double>(result().force(RowOf::kModel, static_cast<int>(i)));
      }
      drift_ = result().drift;
    }
    motion_ = next_;
    ++step_;
    hash_.add_all(motion_.q);
    hash_.add_all(motion_.v);
    return Status::kOk;
  }

  // What the next step's Gauss-Seidel starts from.
  std::vector<KeptForce> kept() const {
    std::vector<KeptForce> forces;
    if (!options_.gauss_seidel) return forces;
    for (std::size_t i = 0; i < keys().size(); ++i) {
      forces.push_back({keys()[i], static_cast<double>(result().forces[i])});
    }
    return forces;
  }
  Status recall(const std::vector<KeptForce>& kept) {
    std::vector<RowKey> keys;
    std::vector<T> forces;
    for (const KeptForce& own : kept) {
      keys.push_back(own.key);
      forces.push_back(static_cast<T>(own.force));
    }
    return stepper_->recall(keys, forces);
  }

 private:
  std::span<const RowKey> keys() const {
    return {result().keys.data(), static_cast<std::size_t>(result().row_count)};
  }

  Status step_freely(const firmware::Settings<Model, T>& settings) {
    if (open_) return open_->step(next_, settings.dt, settings.integrator);
    const Status status = closed_->step(next_, {.dt = settings.dt,
                                                .integrator = settings.integrator,
                                                .stabilization = stabilization_,
                                                .gains = {},
                                                .tolerance = T(0)});
    for (Eigen::Index i = 0; i < lambda_.size(); ++i) {
      lambda_[i] = static_cast<double>(closed_->forces().mu[static_cast<std::size_t>(i)]);
    }
    drift_ = closed_->drift();
    return status;
  }

  const Model& model_;
  const BoundOptions options_;
  const maximal::Stabilization stabilization_;
  const BoundedTables<T> tables_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Closed> closed_;
  std::unique_ptr<JointStepper<Model, T>> open_;
  Motion motion_, next_;
  Eigen::VectorXd lambda_;
  maximal::Drift<T> drift_;
  std::uint64_t step_ = 0;
  Hash hash_;
  bool bounded_ = false;
};

}  // namespace lockstep::host::sim
