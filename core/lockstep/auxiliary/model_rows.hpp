// The rows that a model brings: its loops, records over the bodies of the tree, and its couplings.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/maximal/catalogue.hpp"

namespace lockstep {

namespace auxiliary {

// Of an emitted model: numbers become the solver's while compiling.
template <class Model, class T, class Solver>
Status add_loops(Solver& solver, const T& time) {
  Status status = Status::kOk;
  if constexpr (requires { Model::kLoops.size(); }) {
    unroll<static_cast<int>(Model::kLoops.size())>([&](auto i) {
      if (status != Status::kOk) return;
      static constexpr maximal::ConstraintRecord kRecord = Model::kLoops[index(i())];
      using Loop = maximal::TypeAt<typename maximal::StandardTypes<T>::Constraints, kRecord.type>;
      static constexpr auto kNumbers = [] {
        std::array<T, index(maximal::number_count<Loop>())> numbers{};
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          numbers[k] = static_cast<T>(kRecord.numbers[k]);
        }
        return numbers;
      }();
      // not a constant itself: g++ 12 finds no value for a member without bytes
      const Loop loop = std::bit_cast<Loop>(kNumbers);
      status = solver.add(loop, kRecord.a, kRecord.b, time);
    });
  }
  return status;
}

template <class Model, class T, class Solver>
Status add_couplings(Solver& solver) {
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
    for (const Coupling& coupling : Model::kCouplings) {
      if (status != Status::kOk) break;
      status = solver.add(std::span<const JointWeight<T>>(kWeights).subspan(index(coupling.first),
                                                                            index(coupling.count)));
    }
  }
  return status;
}

}  // namespace auxiliary

// Adds all of an emitted model's rows: loops, then couplings.
template <EmittedModel Model, class T, int... kCapacity>
[[nodiscard]] Status add_model_rows(ConstrainedSolver<Model, T, kCapacity...>& solver,
                                    const T& time = T(0)) {
  const Status status = auxiliary::add_loops<Model, T>(solver, time);
  return status == Status::kOk ? auxiliary::add_couplings<Model, T>(solver) : status;
}

// The same of one loop at run time, for host tools: numbers are converted on every call.
template <class Model, class T, int... kCapacity>
[[nodiscard]] Status add_loop(ConstrainedSolver<Model, T, kCapacity...>& solver,
                              const maximal::ConstraintRecord& record, const T& time = T(0)) {
  Status status = Status::kBadConstraint;
  maximal::visit_type(typename maximal::StandardTypes<T>::Constraints{}, record.type,
                      [&]<class Loop>() {
                        const Loop loop = maximal::from_numbers<Loop>(record.numbers);
                        status = solver.add(loop, record.a, record.b, time);
                      });
  return status;
}

}  // namespace lockstep
