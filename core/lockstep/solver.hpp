// Forward dynamics: (q, v, tau, external wrenches) -> (vdot, reactions), in linear time.
// Generalized coordinates in, maximal coordinates inside, generalized accelerations out
// (Baraff, section 2.2). One class, one input, one output, one verb; everything is preallocated.
// Cost: three passes over the bodies, the same instructions for every input.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "lockstep/border.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// An emitted model that brings its own straight line of operations (lockstep/passes.hpp).
template <class Model, class T>
concept StraightLineModel = requires(const Question<T>& ask, const Answer<T>& answer) {
  { Model::template straight_line<T>(ask, answer) } -> std::same_as<bool>;
};

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>.
template <class Model, class T = double>
class Solver : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;
  using Problem<View, T>::Problem;

  // Returns a status; on any but kOk the output is as it was.
  Status forward_dynamics(const Input& in, Output& out) { return run(in, nullptr, out); }

  // The same with a wrench on every body: force and moment at its link's origin, in link axes.
  Status forward_dynamics(const Input& in, const Wrenches& external, Output& out) {
    return run(in, &external, out);
  }

 private:
  Status run(const Input& in, const Wrenches* external, Output& out) {
    const View& model = this->model();
    if (const Status status = check_border(model, in, external, out); status != Status::kOk) {
      return status;
    }
    const Question<T> ask = {.q = in.q.data(),
                             .v = in.v.data(),
                             .tau = in.tau.data(),
                             .gravity = in.gravity.data(),
                             .external = external == nullptr ? nullptr : external->data()};
    if (!answer(ask, {vdot_.data(), reaction_.data(), lambda_.data()})) return Status::kSingular;

    const Counts counts = model.counts();
    const int wrenches = 6 * model.body_count();
    bool finite = all_finite(vdot_.data(), counts.v);
    finite &= all_finite(reaction_.data(), wrenches);
    if (!finite) return Status::kOverflow;
    copy(vdot_.data(), counts.v, out.vdot.data());
    copy(reaction_.data(), wrenches, out.reaction.data());
    copy(lambda_.data(), counts.lambda, out.lambda.data());
    return Status::kOk;
  }

  // A robot's own straight line knows no external wrenches; the passes give the same bits.
  bool answer(const Question<T>& ask, const Answer<T>& answer) {
    if constexpr (StraightLineModel<Model, T>) {
      if (ask.external == nullptr) return Model::template straight_line<T>(ask, answer);
    }
    return run_passes(this->model(), ask, bodies_.data(), answer);
  }

  // Adding zero makes +0 of -0: the one difference that leaving out zeros and ones may make.
  static void copy(const T* from, int count, T* to) {
    for (int i = 0; i < count; ++i) to[i] = from[i] + T(0);
  }

  std::array<BodyState<T>, static_cast<std::size_t>(View::kMaxBodies)> bodies_;
  std::array<T, static_cast<std::size_t>(View::kMaxDofs)> vdot_;
  std::array<T, static_cast<std::size_t>(6 * View::kMaxBodies)> reaction_;
  std::array<T, static_cast<std::size_t>(View::kMaxMultipliers)> lambda_;
};

}  // namespace lockstep
