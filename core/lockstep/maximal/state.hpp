// What all ways to solve a mechanism's rows share: its state, the rows' values there, and the
// answer.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <numbers>
#include <span>

#include "lockstep/maximal/static_mechanism.hpp"
#include "lockstep/maximal/table_mechanism.hpp"
#include "lockstep/problem.hpp"
#include "lockstep/trig.hpp"

namespace lockstep::maximal {

template <class Mechanism>
using PosesOf =
    lockstep::Vector<typename Mechanism::Scalar, Mechanism::kMaxX, Mechanism::kIsStatic>;
template <class Mechanism>
using VelocitiesOf =
    lockstep::Vector<typename Mechanism::Scalar, Mechanism::kMaxV, Mechanism::kIsStatic>;
template <class Mechanism>
using MultipliersOf =
    lockstep::Vector<typename Mechanism::Scalar, Mechanism::kMaxLambda, Mechanism::kIsStatic>;

// Poses of all bodies, one after the other, and their velocities.
template <class Mechanism>
struct State {
  PosesOf<Mechanism> x;
  VelocitiesOf<Mechanism> v;
  typename Mechanism::Scalar time;
};

// What acts on the bodies: weight in a gravity field, and forces.
template <class Mechanism>
struct Loads {
  VelocitiesOf<Mechanism> force;
  Eigen::Matrix<typename Mechanism::Scalar, 3, 1, Eigen::DontAlign> gravity;  // m/s^2
  // What each row is about; those of springs that count turns are within half a turn of it. None:
  // of zero.
  std::span<const typename Mechanism::Scalar> near = {};
};

template <class Mechanism>
struct SystemSolution {
  VelocitiesOf<Mechanism> v;  // accelerations, velocities or velocity changes
  MultipliersOf<Mechanism> lambda;
};

// Of each row, at a state.
template <class Mechanism>
struct RowValues {
  MultipliersOf<Mechanism> value, velocity_error, phi_t, c;
};

// Whether a state fits, is finite, and has poses with a meaning.
template <class Mechanism>
Status check_state(const Mechanism& mechanism, const State<Mechanism>& state) {
  const MechanismCounts counts = mechanism.counts();
  if (state.x.size() != counts.x || state.v.size() != counts.v) return Status::kWrongSize;
  if (!all_finite(state.v.data(), counts.v) || !is_finite(state.time)) return Status::kNotFinite;
  Status status = Status::kOk;
  mechanism.bodies([&]<class B>(const B& body, const BodyPlace& place) {
    const Status own = body.check(load<typename B::Pose>(state.x.data() + place.x));
    if (status == Status::kOk) status = own;
  });
  return status;
}

// Where all bodies have their frames.
template <class Mechanism, class T = typename Mechanism::Scalar>
void place_bodies(const Mechanism& mechanism, const State<Mechanism>& state,
                  std::span<Placement<T>> X_WB) {
  std::size_t i = 0;
  mechanism.bodies([&]<class B>(const B& body, const BodyPlace& place) {
    const auto pose = load<typename B::Pose>(state.x.data() + place.x);
    const FrameMotion<T> frame = body.kinematics(pose, {}, identity<T>()).frame;
    X_WB[i++] = {frame.R, frame.p};
  });
}

namespace detail {

// A row's number from that of a term of it.
template <class T>
constexpr void take_term(const ConstraintPlace& place, const T& term, T& sum) {
  sum = place.joins ? sum + term : term;
}

// The same of its value, which says nothing about whole turns of the sum's angles.
template <class T>
constexpr void take_value(const ConstraintPlace& place, const T& term, T& sum) {
  take_term(place, term, sum);
  if (place.turn_parts == 0) return;
  const T turn = (T(2) * std::numbers::pi_v<T>) / static_cast<T>(place.turn_parts);
  sum = sum - turn * nearest_whole(T(sum / turn));
}

}  // namespace detail

// The rows' values at a state that was checked; take(place, blocks) sees each constraint's J too.
template <Form kForm, class Mechanism, class F>
void evaluate_rows(const Mechanism& mechanism, const State<Mechanism>& state,
                   RowValues<Mechanism>& rows, F&& take) {
  const int lambdas = mechanism.counts().lambda;
  rows.value.resize(lambdas), rows.velocity_error.resize(lambdas);
  rows.phi_t.resize(lambdas), rows.c.resize(lambdas);
  mechanism.constraints([&](const ConstraintPlace& place, const auto& evaluate) {
    const auto blocks =
        evaluate.template operator()<kForm>(state.x.data(), state.v.data(), state.time);
    for (int i = 0; kForm == Form::kWithValues && i < blocks.size(); ++i) {
      const int row = place.lambda + i;
      detail::take_value(place, blocks.value[at(i)], rows.value[row]);
      detail::take_term(place, blocks.velocity_error[at(i)], rows.velocity_error[row]);
      detail::take_term(place, blocks.phi_t[at(i)], rows.phi_t[row]);
      detail::take_term(place, blocks.c[at(i)], rows.c[row]);
    }
    take(place, blocks);
  });
}

// The rows' errors alone, at a state that was checked; phi_t and c stay.
template <class Mechanism>
void evaluate_errors(const Mechanism& mechanism, const State<Mechanism>& state,
                     RowValues<Mechanism>& rows) {
  const int lambdas = mechanism.counts().lambda;
  rows.value.resize(lambdas), rows.velocity_error.resize(lambdas);
  mechanism.errors(state.x.data(), state.v.data(), state.time,
                   [&](const ConstraintPlace& place, const auto& errors) {
                     for (int i = 0; i < errors.size(); ++i) {
                       const int row = place.lambda + i;
                       detail::take_value(place, errors.value[at(i)], rows.value[row]);
                       detail::take_term(place, errors.velocity_error[at(i)],
                                         rows.velocity_error[row]);
                     }
                   });
}

// The rows' errors over a step of time h: their values at its end, or, of rows that only velocities
// obey, h times the mean of the rates at its end and those that `slip` has of its start.
template <class Mechanism, class Values>
void take_errors_over_step(const Mechanism& mechanism, const typename Mechanism::Scalar& h,
                           const Values& value, const Values& rate, Values& slip) {
  using T = typename Mechanism::Scalar;
  mechanism.constraints([&](const ConstraintPlace& place, const auto&) {
    for (int i = 0; i < place.dimension; ++i) {
      const int row = place.lambda + i;
      const T mean = T(0.5) * (slip[row] + rate[row]);
      slip[row] = place.is_velocity(i) ? h * mean : value[row];
    }
  });
}

// A way to solve equation (8) of Baraff 1996 at a state; Lagrange and both steppers take any:
//   form(state)      M, J and the rows' values, or M and J alone (Form)
//   evaluate(state)  the rows' errors alone; the factor stays
//   factor()         of what was formed, to be solved with as often as one likes
//   set_bodies(f)    the right side: f(body, place) for each body,
//   set_rows(f)      f(i) for each row
//   solve(out)       M v - J^T lambda = bodies, J v + rows = 0
// One that is not exact only comes nearer: the impulse stepper solves again with what is left,
// until its rows are within their tolerance, as it has to where the rows are curved.
template <class S>
concept Equations = requires(S& system, const State<typename S::Mechanism>& state,
                             SystemSolution<typename S::Mechanism>& out) {
  { S::kIsExact } -> std::convertible_to<bool>;
  { system.form(state) } -> std::same_as<Status>;
  { system.template form<Form::kAlone>(state) } -> std::same_as<Status>;
  { system.evaluate(state) } -> std::same_as<Status>;
  { system.factor() } -> std::same_as<Status>;
  { system.solve(out) } -> std::same_as<Status>;
  { system.rows() } -> std::same_as<const RowValues<typename S::Mechanism>&>;
  { system.redundant_rows() } -> std::same_as<int>;
};

// A static mechanism is a type, a table lives with the caller.
template <class Mechanism>
using MechanismMember = std::conditional_t<Mechanism::kIsStatic, Mechanism, const Mechanism&>;

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
