// Sizes and alignments of what a program keeps, as the flags of this object make them. Constants
// only: no code of it can end up in another object's calls.
#include "core/layout_probe.hpp"

#include "ball_tree_31.hpp"
#include "chain_both_ends.hpp"
#include "geared_quadruped.hpp"
#include "humanoid.hpp"
#include "lockstep/auxiliary/closed_solver.hpp"
#include "lockstep/direct.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "six_axis_arm.hpp"

namespace lockstep::test {

namespace {

template <class Type>
constexpr Layout layout_of() {
  return {__PRETTY_FUNCTION__, sizeof(Type), alignof(Type)};
}

// A solver and its members: where these agree, so do their offsets.
template <class Model, class T>
constexpr std::array<Layout, 5> of_model() {
  return {layout_of<Solver<Model, T>>(), layout_of<LimbRoom<Model, T>>(),
          layout_of<typename Solver<Model, T>::Input>(),
          layout_of<typename Solver<Model, T>::Output>(), layout_of<JointStepper<Model, T>>()};
}
template <class T>
constexpr std::array<Layout, 5> of_others() {
  return {layout_of<ClosedSolver<chain_both_ends, T>>(), layout_of<DirectSolver<humanoid, T>>(),
          layout_of<LimbState<LimbLanesOf<T>>>(), layout_of<Solver<six_axis_arm, Lanes<T, 4>>>(),
          layout_of<Solver<six_axis_arm, Lanes<T, 8>>>()};
}

constexpr Layouts join(auto... lists) {
  Layouts all = {};
  std::size_t count = 0;
  const auto add = [&](const auto& list) {
    for (const Layout& layout : list) all[count++] = layout;
  };
  (add(lists), ...);
  return all;
}

template <class... Models>
constexpr Layouts of_models() {
  return join(of_model<Models, float>()..., of_model<Models, double>()..., of_others<float>(),
              of_others<double>());
}

}  // namespace

constinit const Layouts LOCKSTEP_LAYOUTS =
    of_models<humanoid, six_axis_arm, geared_quadruped, ball_tree_31>();

}  // namespace lockstep::test
