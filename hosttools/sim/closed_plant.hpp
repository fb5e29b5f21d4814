// The robot itself where it has loops and couplings: what firmware::Plant is to a tree.
#pragma once

#include <memory>

#include "lockstep/auxiliary/closed_stepper.hpp"
#include "lockstep/hash.hpp"
#include "loop/settings.hpp"
#include "model/table.hpp"
#include "model/tree_rows.hpp"

namespace lockstep::host::sim {

template <class T>
class ClosedPlant {
 public:
  using Model = TableModel<T, kHostBodies>;
  using Stepper = ClosedStepper<Model, T, kHostRows, TreeRows<T>>;
  using Configs = typename Stepper::Configs;
  using Dofs = typename Stepper::Dofs;
  using Motion = typename Stepper::Input;

  ClosedPlant(const Tree& tree, const Model& model, maximal::Stabilization stabilization)
      : model_(model),
        stabilization_(stabilization),
        stepper_(std::make_unique<Stepper>(model, TreeRows<T>(tree))),
        motion_(stepper_->make_input()),
        next_(motion_) {}

  const Motion& motion() const { return motion_; }
  std::uint64_t step() const { return step_; }
  std::uint64_t hash() const { return hash_.value(); }
  const Stepper& stepper() const { return *stepper_; }

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
    const Status status = stepper_->step(motion_, {.dt = settings.dt,
                                                   .integrator = settings.integrator,
                                                   .stabilization = stabilization_,
                                                   .gains = {},
                                                   .tolerance = T(0)});
    if (status != Status::kOk) return status;
    ++step_;
    hash_.add_all(motion_.q);
    hash_.add_all(motion_.v);
    return Status::kOk;
  }

 private:
  const Model& model_;
  const maximal::Stabilization stabilization_;
  std::unique_ptr<Stepper> stepper_;
  Motion motion_, next_;
  std::uint64_t step_ = 0;
  Hash hash_;
};

}  // namespace lockstep::host::sim
