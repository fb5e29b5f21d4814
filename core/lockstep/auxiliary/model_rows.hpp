// The rows that a model brings: its loops, records over the bodies of the tree, and its couplings.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <bit>
#include <span>

#include "lockstep/auxiliary/anticipation.hpp"
#include "lockstep/auxiliary/soft_rows.hpp"
#include "lockstep/constraint/catalogue.hpp"

namespace lockstep {

// Of an emitted model: numbers become the solver's while compiling. Any other class with such a
// `visit` brings the rows of a table.
template <EmittedModel Model, class T>
struct ModelRows {
 private:
  // on_rows(record, count) for every loop and coupling.
  template <class F>
  static constexpr void for_records(F&& on_rows) {
    if constexpr (requires { Model::kLoops.size(); }) {
      for (const constraint::ConstraintRecord& loop : Model::kLoops) {
        constraint::visit_type(constraint::StandardConstraints<T>{}, loop.type,
                               [&]<class Loop>() { on_rows(loop, Loop::kDimension); });
      }
    }
    if constexpr (requires { Model::kCouplings.size(); }) {
      for (const Coupling& coupling : Model::kCouplings) on_rows(coupling, 1);
    }
  }

 public:
  static constexpr int kCount = [] {
    int count = 0;
    for_records([&](const auto&, int rows) { count += rows; });
    return count;
  }();

  // Loops and couplings whose rows yield.
  static constexpr int kSoft = [] {
    int count = 0;
    for_records([&](const auto& record, int) { count += yields(record) ? 1 : 0; });
    return count;
  }();
  static std::span<const SoftRows<T>> soft() { return kSoftRows; }

  // Calls on_loop(loop, a, b) for every loop, then on_coupling(weights, offset) for every coupling:
  // the weighted sum of q is the offset. Stops and returns what one returned if not kOk.
  template <class OnLoop, class OnCoupling>
  static Status visit(OnLoop&& on_loop, OnCoupling&& on_coupling) {
    const Status status = visit_loops(on_loop);
    return status == Status::kOk ? visit_couplings(on_coupling) : status;
  }

 private:
  static constexpr std::array<SoftRows<T>, at(kSoft)> kSoftRows = [] {
    std::array<SoftRows<T>, at(kSoft)> soft{};
    std::size_t i = 0;
    int first = 0;
    for_records([&](const auto& record, int rows) {
      if (yields(record)) {
        soft[i++] = {first, rows, static_cast<T>(record.stiffness), static_cast<T>(record.damping)};
      }
      first += rows;
    });
    return soft;
  }();

  template <class OnLoop>
  static Status visit_loops(OnLoop& on_loop) {
    Status status = Status::kOk;
    if constexpr (requires { Model::kLoops.size(); }) {
      unroll<static_cast<int>(Model::kLoops.size())>([&](auto i) {
        if (status != Status::kOk) return;
        static constexpr constraint::ConstraintRecord kRecord = Model::kLoops[at(i())];
        using Loop = constraint::TypeAt<constraint::StandardConstraints<T>, kRecord.type>;
        static constexpr auto kNumbers = [] {
          std::array<T, at(constraint::number_count<Loop>())> numbers{};
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
        status = on_coupling(std::span<const JointWeight<T>>(kWeights).subspan(at(coupling.first),
                                                                               at(coupling.count)),
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

// Adds all rows, in the order of `rows.visit`.
template <class Solver, class Rows>
[[nodiscard]] Status add_rows(Solver& solver, const Rows& rows) {
  return rows.visit([&](const auto& loop, int a, int b) { return solver.add(loop, a, b); },
                    [&](const auto& weights, const auto&) { return solver.add(weights); });
}
// The same, and how far they are off: `errors` is a RowErrors.
template <class Solver, class T, class View, class Rows, class Errors>
[[nodiscard]] Status add_rows(Solver& solver, const View& model, const Rows& rows, const T* q,
                              const T* v, Errors& errors) {
  errors.clear();
  const Status status = rows.visit(
      [&](const auto& loop, int a, int b) {
        return solver.add(loop, a, b, T(0),
                          [&](const auto& row) { return errors.append(row.value(), row.rate()); });
      },
      [&](std::span<const JointWeight<T>> weights, const T& offset) {
        const Status added = solver.add(weights);
        return added == Status::kOk ? errors.append_coupling(model, weights, offset, q, v) : added;
      });
  return status == Status::kOk ? errors.check() : status;
}
template <EmittedModel Model, class T, int kRows, int kWorking, int kTerms, class Tree>
[[nodiscard]] Status add_model_rows(
    Anticipation<Model, T, kRows, kWorking, kTerms, Tree>& solver) {
  return add_rows(solver, ModelRows<Model, T>{});
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
