// What a compiled robot's file says of its motors. A table has no limits until a host sends them.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "lockstep/joint.hpp"
#include "loop/limiter.hpp"

namespace lockstep::firmware {

// From no torque to all of it, where nobody says how fast it may change.
inline constexpr double kShortestRise = 0.01;  // s

template <class T>
struct MotorLimits {
  T effort, effort_rate, velocity, lower, upper;
};

// Of each degree of freedom; infinite where the file is silent.
template <class Model, class T>
inline constexpr auto kMotorLimits = [] {
  constexpr T kNone = std::numeric_limits<T>::infinity();
  constexpr int kDofs = [] {
    int dofs = 0;
    for (const Body& body : Model::kBodies) dofs += dof_count(body.joint);
    return dofs;
  }();
  std::array<MotorLimits<T>, kDofs> all{};
  all.fill({kNone, kNone, kNone, -kNone, kNone});
  std::size_t at = 0;
  for (const Body& body : Model::kBodies) {
    const auto& own = body.limits;
    if (dof_count(body.joint) == 1) {
      all[at] = {static_cast<T>(own.effort), static_cast<T>(own.effort / kShortestRise),
                 static_cast<T>(own.velocity), static_cast<T>(own.lower),
                 static_cast<T>(own.upper)};
    }
    at += static_cast<std::size_t>(dof_count(body.joint));
  }
  return all;
}();

template <class Model, class Dofs>
void take_limits(Limits<Dofs>& limits) {
  Eigen::Index i = 0;
  for (const auto& own : kMotorLimits<Model, typename Dofs::Scalar>) {
    limits.effort[i] = own.effort, limits.effort_rate[i] = own.effort_rate;
    limits.velocity[i] = own.velocity;
    limits.lower[i] = own.lower, limits.upper[i] = own.upper;
    ++i;
  }
}

// Whether limits leave a motor no more than the model does, but for the rates, which no file tells.
template <class Model, class Dofs>
bool are_within_model(const Limits<Dofs>& limits) {
  bool within = true;
  Eigen::Index i = 0;
  for (const auto& own : kMotorLimits<Model, typename Dofs::Scalar>) {
    within = within && limits.effort[i] <= own.effort && limits.velocity[i] <= own.velocity &&
             limits.lower[i] >= own.lower && limits.upper[i] <= own.upper;
    ++i;
  }
  return within;
}

}  // namespace lockstep::firmware
