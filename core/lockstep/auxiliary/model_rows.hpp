// The rows that a model brings: its loops, records over the bodies of the tree, and its couplings.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "lockstep/auxiliary/anticipation.hpp"
#include "lockstep/constraint/catalogue.hpp"

namespace lockstep {

// Of an emitted model: numbers become the solver's while compiling. Any other class with such a
// `visit` brings the rows of a table.
template <EmittedModel Model, class T>
struct ModelRows {
  static constexpr int kCount = [] {
    int count = 0;
    if constexpr (requires { Model::kLoops.size(); }) {
      for (const constraint::ConstraintRecord& loop : Model::kLoops) {
        constraint::visit_type(constraint::StandardConstraints<T>{}, loop.type,
                            [&]<class Loop>() { count += Loop::kDimension; });
      }
    }
    if constexpr (requires { Model::kCouplings.size(); }) {
      count += static_cast<int>(Model::kCouplings.size());
    }
    return count;
  }();

  // Calls on_loop(loop, a, b) for every loop, then on_coupling(weights, offset) for every coupling:
  // the weighted sum of q is the offset. Stops and returns what one returned if not kOk.
  template <class OnLoop, class OnCoupling>
  static Status visit(OnLoop&& on_loop, OnCoupling&& on_coupling) {
    const Status status = visit_loops(on_loop);
    return status == Status::kOk ? visit_couplings(on_coupling) : status;
  }

 private:
  static constexpr std::size_t index(int i) { return auxiliary::index(i); }

  template <class OnLoop>
  static Status visit_loops(OnLoop& on_loop) {
    Status status = Status::kOk;
    if constexpr (requires { Model::kLoops.size(); }) {
      unroll<static_cast<int>(Model::kLoops.size())>([&](auto i) {
        if (status != Status::kOk) return;
        static constexpr constraint::ConstraintRecord kRecord = Model::kLoops[index(i())];
        using Loop = constraint::TypeAt<constraint::StandardConstraints<T>, kRecord.type>;
        static constexpr auto kNumbers = [] {
          std::array<T, index(constraint::number_count<Loop>())> numbers{};
          for (std::size_t k = 0; k < numbers.size(); ++k) {
            numbers[k] = static_cast<T>(kRecord.numbers[k]);
          }
          return numbers;
        }();
        // not a constant itself: g++ 12 finds no value for a member without bytes
        const Loop loop = std::bit_cast<Loop>(kNumbers);
        status = on_loop(loop, kRecord.a, kRecord.b);
      });
    }
    return status;
  }

  template <class OnCoupling>
  static Status visit_couplings(OnCoupling& on_coupling) {
    Status status = Status::kOk;
    if constexpr (requires { Model::kCouplings.size(); }) {
      static constexpr auto kWeights = [] {
        std::array<JointWeight<T>, Model::kCouplingTerms.size()> weights{};
        for (std::size_t i = 0; i < weights.size(); ++i) {
          const CouplingTerm& term = Model::kCouplingTerms[i];
          weights[i] = {term.body, static_cast<T>(term.coefficient)};
        }
        return weights;
      }();
      static constexpr auto kOffsets = [] {
        std::array<T, Model::kCouplings.size()> offsets{};
        for (std::size_t i = 0; i < offsets.size(); ++i) {
          offsets[i] = static_cast<T>(Model::kCouplings[i].offset);
        }
        return offsets;
      }();
      for (std::size_t i = 0; i < kOffsets.size() && status == Status::kOk; ++i) {
        const Coupling& coupling = Model::kCouplings[i];
        status = on_coupling(std::span<const JointWeight<T>>(kWeights).subspan(
                                 index(coupling.first), index(coupling.count)),
                             kOffsets[i]);
      }
    }
    return status;
  }
};

// Of a table that is a tree and nothing else.
struct NoRows {
  template <class OnLoop, class OnCoupling>
  static Status visit(const OnLoop&, const OnCoupling&) {
    return Status::kOk;
  }
};

// One loop at run time, for host tools: numbers are converted on every call. Returns what
// on_loop(loop, a, b) returned.
template <class T, class OnLoop>
[[nodiscard]] Status visit_loop(const constraint::ConstraintRecord& record, OnLoop&& on_loop) {
  Status status = Status::kBadConstraint;
  constraint::visit_type(
      constraint::StandardConstraints<T>{}, record.type, [&]<class Loop>() {
        status = on_loop(constraint::from_numbers<Loop>(record.numbers), record.a, record.b);
      });
  return status;
}

// Adds all rows, in the order of `rows.visit`.
template <class Model, class T, int... kCapacity, class Rows>
[[nodiscard]] Status add_rows(Anticipation<Model, T, kCapacity...>& solver, const Rows& rows) {
  return rows.visit(
      [&](const auto& loop, int a, int b) { return solver.add(loop, a, b); },
      [&](std::span<const JointWeight<T>> weights, const T&) { return solver.add(weights); });
}
template <EmittedModel Model, class T, int... kCapacity>
[[nodiscard]] Status add_model_rows(Anticipation<Model, T, kCapacity...>& solver) {
  return add_rows(solver, ModelRows<Model, T>{});
}

}  // namespace lockstep
