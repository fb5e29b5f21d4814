// How a body moves over a time step while nothing holds it (Bender 2007, equations 1 to 4): as its
// type says, or by Runge-Kutta, which is exact where the acceleration is constant.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/integrate/runge_kutta.hpp"
#include "lockstep/maximal/lagrange.hpp"

namespace lockstep::maximal {

namespace detail {

template <class Solver, class B>
bool free_acceleration(const B& body, const typename B::Pose& pose, const VelocityOf<B>& v,
                       const BodyPlace& place, const typename Solver::Loads& loads,
                       VelocityOf<B>& vdot) {
  constexpr NodeShape kShape = {.dimension = B::kDimension};
  vdot = body.inertial_force(pose, v);
  Solver::add_loads(body, pose, place, loads, vdot);
  auto M = body.mass_matrix(pose);
  const bool regular = lockstep::detail::factor_definite(kShape, M[0].data());
  lockstep::detail::apply_inverse(kShape, M[0].data(), vdot.data(), 1);
  return regular;
}

// Pose and velocity become those a time h later.
template <class Solver, class B>
Status integrate_freely(const B& body, const BodyPlace& place, const typename Solver::Loads& loads,
                        const typename Solver::T& h, typename B::Pose& pose, VelocityOf<B>& v) {
  using T = typename Solver::T;
  using Velocity = VelocityOf<B>;
  const auto plus = [](const Velocity& a, const T& scale, const Velocity& b) {
    Velocity sum;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + scale * b[i];
    return sum;
  };
  Velocity rate = v, vdot, rate_sum, vdot_sum, then = v;
  auto moved = pose;
  const auto solve = [&] {
    const bool regular = free_acceleration<Solver>(body, moved, then, place, loads, vdot);
    return regular ? Status::kOk : Status::kSingular;
  };
  Status status = solve();
  if (status != Status::kOk) return status;
  status = runge_kutta(
      rate, rate_sum, vdot, vdot_sum, h,
      [&](const Velocity& with, const Velocity& gained, const T& time) {
        moved = pose;
        then = plus(v, time, gained);
        return body.integrate(moved, with, time);
      },
      solve,
      [&](const T& time, Velocity& along) {
        along = body.rate_along(plus({}, time, along), then);
      });
  pose = moved, v = then;
  return status;
}

}  // namespace detail

// The body's own numbers in `end` become those of `start` a time h later. Solver is a Lagrange.
template <class Solver, class B>
Status move_freely(const B& body, const BodyPlace& place, const typename Solver::Loads& loads,
                   const typename Solver::T& h, const typename Solver::State& start,
                   typename Solver::State& end) {
  auto pose = load<typename B::Pose>(start.x.data() + place.x);
  auto v = load<detail::VelocityOf<B>>(start.v.data() + place.v);
  Status status;
  if constexpr (requires { body.fly(pose, v, v, h); }) {
    detail::VelocityOf<B> force{};
    Solver::add_loads(body, pose, place, loads, force);
    status = body.fly(pose, v, force, h);
  } else {
    status = detail::integrate_freely<Solver>(body, place, loads, h, pose, v);
  }
  store(pose, end.x.data() + place.x);
  store(v, end.v.data() + place.v);
  return status;
}

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
