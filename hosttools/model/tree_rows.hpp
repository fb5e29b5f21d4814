// A tree's loops and couplings for the solvers of core, in their scalar.
#pragma once

#include <span>
#include <vector>

#include "lockstep/auxiliary/model_rows.hpp"
#include "lockstep/constraint/any_constraint.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

// How many rows a solver of the host has room for.
inline constexpr int kHostRows = 256;

inline bool is_closed(const Tree& tree) { return !tree.loops.empty() || !tree.couplings.empty(); }

template <class T>
class TreeRows {
 public:
  explicit TreeRows(const Tree& tree) : couplings_(tree.couplings) {
    int first = 0;
    const auto note_soft = [&](const auto& record, int rows) {
      if (yields(record)) {
        soft_.push_back(
            {first, rows, static_cast<T>(record.stiffness), static_cast<T>(record.damping)});
      }
      first += rows;
    };
    for (const constraint::ConstraintRecord& loop : tree.loops) {
      loops_.push_back({constraint::AnyConstraint<T>(loop), loop.a, loop.b});
      note_soft(loop, loops_.back().constraint.dimension());
    }
    for (const Coupling& coupling : tree.couplings) note_soft(coupling, 1);
    for (const CouplingTerm& term : tree.terms) {
      weights_.push_back({term.body, static_cast<T>(term.coefficient)});
    }
  }

  std::span<const SoftRows<T>> soft() const { return soft_; }

  // As ModelRows::visit.
  template <class OnLoop, class OnCoupling>
  Status visit(OnLoop&& on_loop, OnCoupling&& on_coupling) const {
    Status status = Status::kOk;
    for (const Loop& loop : loops_) {
      if (status == Status::kOk) status = on_loop(loop.constraint, loop.a, loop.b);
    }
    for (const Coupling& coupling : couplings_) {
      if (status != Status::kOk) break;
      status = on_coupling(std::span(weights_).subspan(static_cast<std::size_t>(coupling.first),
                                                       static_cast<std::size_t>(coupling.count)),
                           static_cast<T>(coupling.offset));
    }
    return status;
  }

 private:
  struct Loop {
    constraint::AnyConstraint<T> constraint;
    int a, b;
  };

  std::vector<Loop> loops_;
  std::vector<Coupling> couplings_;
  std::vector<JointWeight<T>> weights_;
  std::vector<SoftRows<T>> soft_;
};

}  // namespace lockstep::host
