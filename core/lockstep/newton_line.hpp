// The straight line of a step by Newton's method, as `lockstep compile` writes it for a robot with
// colliders: straight_place once a step, then straight_solve for each solve. Blocks and wrenches
// come on bodies with colliders alone, numbers on any pivot. What a solve needs of the placement
// goes through `kept`, which knows no other reader.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <concepts>

#include "lockstep/limbs.hpp"

namespace lockstep {

// What a body is before loads come.
template <class T>
struct NewtonStart {
  Spatial<T> V, f;  // twist, bias wrench
};

template <class T>
struct NewtonPlace {
  Placement<T>* X_WB;      // of every body
  NewtonStart<T>* starts;  // of bodies with colliders
  T* effort;
};

// In: `f` and `B` of the states of bodies with colliders, efforts, what is added on pivots. Out:
// `V` of the same states, `f` of all, accelerations of the joints.
template <class T>
struct NewtonSolve {
  BodyState<T>* states;
  const T *effort, *added;
  T* vdot;
};

// What is kept from placement to solve: numbers, and numbers of limbs side by side.
template <class T, int kCount, int kWide>
struct NewtonKept {
  std::array<T, static_cast<std::size_t>(kCount)> narrow;
  std::array<LimbLanesOf<T>, static_cast<std::size_t>(kWide)> wide;
};

template <class Model, class T>
concept StraightNewtonModel = requires(NewtonKept<T, Model::kNewtonKept, 0>& kept,
                                       const PassInput<T>& ask, const NewtonPlace<T>& place,
                                       const NewtonSolve<T>& solve) {
  Model::template straight_place<T>(ask, place, kept);
  { Model::template straight_solve<T>(kept, solve) } -> std::same_as<bool>;
};
template <class Model, class T>
concept StraightLimbsNewtonModel =
    requires(NewtonKept<T, Model::kNewtonKeptBeside, Model::kNewtonKeptWide>& kept,
             const PassInput<T>& ask, const NewtonPlace<T>& place, const NewtonSolve<T>& solve) {
  Model::template straight_limbs_place<T>(ask, place, kept);
  { Model::template straight_limbs_solve<T>(kept, solve) } -> std::same_as<bool>;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
