// Forward dynamics: (q, v, tau, external wrenches) -> (vdot, reactions), in linear time.
// Generalized coordinates in, maximal coordinates inside, generalized accelerations out
// (Baraff, section 2.2). One class, one input, one output, one verb; everything is preallocated.
// Cost: three passes over the bodies, the same instructions for every input.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <concepts>
#include <cstddef>

#include "lockstep/border.hpp"
#include "lockstep/limbs.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// An emitted model that brings its own straight line of operations (lockstep/passes.hpp).
template <class Model, class T>
concept StraightLineModel = requires(const PassInput<T>& ask, const PassOutput<T>& answer) {
  { Model::template straight_line<T>(ask, answer) } -> std::same_as<PassCheck<T>>;
};
template <class Model, class T>
concept StraightLimbsModel = requires(const PassInput<T>& ask, const PassOutput<T>& answer) {
  { Model::template straight_limbs<T>(ask, answer) } -> std::same_as<PassCheck<T>>;
};
// The same of a robot with damping or springs, for implicit steps. They know no drives.
template <class Model, class T>
concept StraightStepModel =
    !DrivenModel<Model> && requires(const PassInput<T>& ask, const PassOutput<T>& answer) {
  { Model::template straight_step<T>(ask, answer) } -> std::same_as<PassCheck<T>>;
};
template <class Model, class T>
concept StraightLimbsStepModel =
    !DrivenModel<Model> && requires(const PassInput<T>& ask, const PassOutput<T>& answer) {
  { Model::template straight_limbs_step<T>(ask, answer) } -> std::same_as<PassCheck<T>>;
};

// The workspace of the limbs, where some object of the program may compute them in a loop.
template <class Model, class T>
struct LimbRoom {};
template <class Model, class T>
requires(LimbedModel<Model>&& kLimbsHaveRoom<T> &&
         !StraightLineModel<Model, T>) struct LimbRoom<Model, T> {
  std::array<LimbState<LimbLanesOf<T>>, StaticLimbs<Model, T>::kStates> states;
};

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>. T: float, double,
// or Lanes of them, which solve as many states at once.
template <class Model, class T = double>
class Solver : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;
  using Problem<View, T>::Problem;

  // Returns a status; on any but kOk the output is as it was.
  [[nodiscard]] StatusOf<T> forward_dynamics(const Input& in, Output& out) {
    return run<false, false>(in, nullptr, nullptr, out);
  }

  // The same with a wrench on every body: force and moment at its link's origin, in link axes.
  [[nodiscard]] StatusOf<T> forward_dynamics(const Input& in, const Wrenches& external,
                                             Output& out) {
    return run<true, false>(in, &external, nullptr, out);
  }

  // Both for a step in which joints are implicit: `added` is what set_added_inertia gives, and
  // in.tau has what add_springs does. `external` may be null.
  template <bool kExternal>
  [[nodiscard]] StatusOf<T> implicit_dynamics(const Input& in, const Wrenches* external,
                                              const Dofs& added, Output& out) {
    return run<kExternal, true>(in, external, added.data(), out);
  }

 private:
  // Whether there are external wrenches is a constant, so that a program without them does not
  // carry their code.
  template <bool kExternal, bool kSoft>
  StatusOf<T> run(const Input& in, const Wrenches* external, const T* added, Output& out) {
    const View& model = this->model();
    if (!fits(model, in, external, out)) {
      return each_lane<T>([](int) { return Status::kWrongSize; });
    }
    const Border<T> border = check_border<T>(model, in, external);
    if (!any(border.passed())) return each_lane<T>([&](int lane) { return border.status(lane); });
    const PassInput<T> ask = {.q = in.q.data(),
                              .v = in.v.data(),
                              .tau = in.tau.data(),
                              .gravity = in.gravity.data(),
                              .external = kExternal ? external->data() : nullptr,
                              .added = added};
    const PassCheck<T> verdict =
        answer<kExternal, kSoft>(ask, {vdot_.data(), reaction_.data(), lambda_.data()});
    const Truth<T> good = border.passed() & verdict.positive & verdict.finite;
    hand_out(good, vdot_.data(), model.counts().v, out.vdot.data());
    hand_out(good, reaction_.data(), 6 * model.body_count(), out.reaction.data());
    hand_out(good, lambda_.data(), model.counts().lambda, out.lambda.data());
    return each_lane<T>([&](int lane) {
      const Status handed_in = border.status(lane);
      if (handed_in != Status::kOk) return handed_in;
      if (!holds(verdict.positive, lane)) return Status::kSingular;
      return holds(verdict.finite, lane) ? Status::kOk : Status::kOverflow;
    });
  }

  // A robot's own straight line knows no external wrenches; the passes give the same bits.
  template <bool kExternal, bool kSoft>
  PassCheck<T> answer(const PassInput<T>& ask, const PassOutput<T>& answer) {
    constexpr bool kLine = !kExternal && !kSoft, kStep = !kExternal && kSoft;
    if constexpr (kLine && kLimbsInLanes<T> && StraightLimbsModel<Model, T>) {
      return Model::template straight_limbs<T>(ask, answer);
    } else if constexpr (kLine && StraightLineModel<Model, T>) {
      return Model::template straight_line<T>(ask, answer);
    } else if constexpr (kStep && kLimbsInLanes<T> && StraightLimbsStepModel<Model, T>) {
      return Model::template straight_limbs_step<T>(ask, answer);
    } else if constexpr (kStep && StraightStepModel<Model, T>) {
      return Model::template straight_step<T>(ask, answer);
    } else if constexpr (kLimbsInLanes<T> && requires { limbs_.states; }) {
      return run_limb_passes<T, View::kHasRotors, kSoft>(
          StaticLimbs<Model, T>::plan(), ask, bodies_.data(), limbs_.states.data(), answer);
    } else {
      return run_passes<kSoft>(this->model(), ask, bodies_.data(), answer);
    }
  }

  // Adding zero makes +0 of -0: the one difference that leaving out zeros and ones may make.
  static void hand_out(const Truth<T>& good, const T* from, int count, T* to) {
    if (all(good)) {
#pragma GCC unroll 6
      for (int i = 0; i < count; ++i) to[i] = alone(from[i]) + T(0);
    } else if constexpr (kIsLanes<T>) {
      for (int i = 0; i < count; ++i) to[i] = select(good, from[i] + T(0), to[i]);
    }
  }

  // Keeps compilers from fetching several numbers at once: a wide load must wait until the narrow
  // stores before it have reached the cache, a narrow one takes the number on its way.
  static T alone(const T& number) {
    T value = number;
#if defined(__GNUC__) && defined(__SSE2__)
    if constexpr (std::is_floating_point_v<T>) asm("" : "+x"(value));
#endif
    return value;
  }

  std::array<BodyState<T>, static_cast<std::size_t>(View::kMaxBodies)> bodies_;
  [[no_unique_address]] LimbRoom<Model, T> limbs_;
  std::array<T, static_cast<std::size_t>(View::kMaxDofs)> vdot_;
  std::array<T, static_cast<std::size_t>(6 * View::kMaxBodies)> reaction_;
  std::array<T, static_cast<std::size_t>(View::kMaxMultipliers)> lambda_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
