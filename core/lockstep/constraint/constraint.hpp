// What a constraint is to the solver (Baraff 1996, sections 4 and 6): a black box over two bodies,
// or a body and the world, that gives J and c with J vdot + c = 0, and how far position and
// velocity are from it. Our own look at bodies only through a frame on each, so that every one of
// them works on every body; a constraint of a user's own may do the same (FrameConstraint), or look
// at poses and velocities itself (PairConstraint).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <concepts>
#include <initializer_list>

#include "lockstep/constraint/frame.hpp"

namespace lockstep::constraint {

// Rows over frames A and B, as they are at one moment.
template <class T, int kDimension>
struct Rows {
  Vector<T, kDimension> value{};                    // phi; zero in a row that only velocities obey
  std::array<Spatial<T>, at(kDimension)> a{}, b{};  // how its rate depends on the frames' twists
  Vector<T, kDimension> phi_t{};  // its rate while nothing moves: prescribed motion
  Vector<T, kDimension> bias{};   // its second rate while the frames do not accelerate

  static constexpr int size() { return kDimension; }
};

// The same over the bodies' own velocities.
template <class T, int kRows, int kColumnsA, int kColumnsB>
struct Blocks {
  Vector<T, kRows> value;           // phi
  Vector<T, kRows> velocity_error;  // J v + phi_t
  Vector<T, kRows> phi_t;           // the rows' rates while nothing moves
  Vector<T, kRows> c;               // J vdot + c = 0
  Matrix<T, kRows, kColumnsA> J_A;
  Matrix<T, kRows, kColumnsB> J_B;

  static constexpr int size() { return kRows; }
};

// Whether rows are wanted with their values, or J alone.
enum class Form { kWithValues, kAlone };

// How far positions and velocities are off, and nothing else of the same.
template <class T, int kRows>
struct RowErrors {
  Vector<T, kRows> value, velocity_error;

  static constexpr int size() { return kRows; }
};

template <class C>
concept FrameConstraint = C::kDimension >= 1 && C::kDimension <= 6 &&
                          requires(const C& constraint,
                                   const FrameMotion<typename C::Scalar>& frame,
                                   typename C::Scalar time) {
  { constraint.rows(frame, frame, time) } -> std::same_as<Rows<typename C::Scalar, C::kDimension>>;
};

template <class C, class A, class B>
concept PairConstraint = C::kDimension >= 1 && C::kDimension <= 6 &&
                         requires(const C& constraint, const A& body_A,
                                  const typename A::Pose& pose_A,
                                  const Vector<typename A::Scalar, A::kDimension>& v_A,
                                  const B& body_B, const typename B::Pose& pose_B,
                                  const Vector<typename B::Scalar, B::kDimension>& v_B,
                                  typename C::Scalar time) {
  {
    constraint.evaluate(body_A, pose_A, v_A, body_B, pose_B, v_B, time)
    } -> std::same_as<Blocks<typename C::Scalar, C::kDimension, A::kDimension, B::kDimension>>;
};

// Whether its parameters have a meaning. A constraint without any has no check().
template <class C>
constexpr Status check_constraint(const C& constraint) {
  if constexpr (requires { constraint.check(); }) {
    return constraint.check();
  } else {
    return Status::kOk;
  }
}

// Rows that only velocities obey, a bit for each. A constraint that has some has kVelocityRows.
template <class C>
constexpr unsigned velocity_rows() {
  if constexpr (requires { C::kVelocityRows; }) {
    return C::kVelocityRows;
  } else {
    return 0;
  }
}

// How fast a row's value moves.
template <class AnyRows, class T>
constexpr T rate_of(const AnyRows& rows, int i, const FrameMotion<T>& A, const FrameMotion<T>& B) {
  const Spatial<T> V_A = {A.v, A.w}, V_B = {B.v, B.w};
  return dot(rows.a[at(i)], V_A) + dot(rows.b[at(i)], V_B) + rows.phi_t[at(i)];
}

// A constraint may know them with fewer operations than all of its rows.
template <FrameConstraint C, class T = typename C::Scalar>
constexpr RowErrors<T, C::kDimension> errors(const C& constraint, const FrameMotion<T>& A,
                                             const FrameMotion<T>& B, const T& time) {
  if constexpr (requires { constraint.errors(A, B, time); }) {
    return constraint.errors(A, B, time);
  } else {
    const auto rows = constraint.rows(A, B, time);
    RowErrors<T, C::kDimension> all = {rows.value, {}};
    for (int i = 0; i < rows.size(); ++i) all.velocity_error[at(i)] = rate_of(rows, i, A, B);
    return all;
  }
}

// From rows over frames to rows over the velocities of the bodies that bear them. J has at least as
// many columns as the bodies have velocities.
template <Form kForm = Form::kWithValues, class AnyRows, class KinematicsA, class KinematicsB,
          class AnyBlocks>
constexpr void put_on_bodies(const AnyRows& rows, const KinematicsA& a, const KinematicsB& b,
                             AnyBlocks& blocks) {
  for (int i = 0; kForm == Form::kWithValues && i < rows.size(); ++i) {
    blocks.value[at(i)] = rows.value[at(i)];
    blocks.velocity_error[at(i)] = rate_of(rows, i, a.frame, b.frame);
    blocks.phi_t[at(i)] = rows.phi_t[at(i)];
    blocks.c[at(i)] = rows.bias[at(i)] + (dot(rows.a[at(i)], a.bias) + dot(rows.b[at(i)], b.bias));
  }
  for (int i = 0; i < rows.size(); ++i) {
    a.pull(rows.a[at(i)], blocks.J_A[at(i)].data());
    b.pull(rows.b[at(i)], blocks.J_B[at(i)].data());
  }
}

// A Between looks through frames.
template <class C>
constexpr bool kUsesFrames = requires(const C& constraint) {
  constraint.X_A;
};

namespace detail {

// A parameter that has to be positive, and none that is not finite.
template <class T>
constexpr Status check_sizes(std::initializer_list<T> sizes) {
  bool good = true;
  for (const T& size : sizes) good = good && size > T(0) && is_finite(size);
  return good ? Status::kOk : Status::kBadConstraint;
}

}  // namespace detail

// A frame constraint and where its frames are fixed.
template <FrameConstraint C>
struct Between {
  using Scalar = typename C::Scalar;
  static constexpr int kDimension = C::kDimension;
  static constexpr unsigned kVelocityRows = velocity_rows<C>();

  Placement<Scalar> X_A, X_B;  // each frame in its body
  [[no_unique_address]] C constraint;

  constexpr Status check() const {
    const bool placed = is_placement(X_A) && is_placement(X_B);
    return placed ? check_constraint(constraint) : Status::kBadConstraint;
  }

  constexpr auto rows(const FrameMotion<Scalar>& A, const FrameMotion<Scalar>& B,
                      const Scalar& time) const {
    return constraint.rows(A, B, time);
  }
  constexpr auto errors(const FrameMotion<Scalar>& A, const FrameMotion<Scalar>& B,
                        const Scalar& time) const {
    return constraint::errors(constraint, A, B, time);
  }

  template <Form kForm = Form::kWithValues, Framed A, Framed B>
  constexpr Blocks<Scalar, kDimension, A::kDimension, B::kDimension> evaluate(
      const A& body_A, const typename A::Pose& pose_A, const Vector<Scalar, A::kDimension>& v_A,
      const B& body_B, const typename B::Pose& pose_B, const Vector<Scalar, B::kDimension>& v_B,
      const Scalar& time) const {
    Blocks<Scalar, kDimension, A::kDimension, B::kDimension> blocks;
    const auto a = body_A.kinematics(pose_A, v_A, X_A);
    const auto b = body_B.kinematics(pose_B, v_B, X_B);
    put_on_bodies<kForm>(rows(a.frame, b.frame, time), a, b, blocks);
    return blocks;
  }
};

// Two constraints between the same frames as one node: a hinge and its motor.
template <FrameConstraint First, FrameConstraint Second>
struct Both {
  using Scalar = typename First::Scalar;
  static constexpr int kDimension = First::kDimension + Second::kDimension;
  static constexpr unsigned kVelocityRows = velocity_rows<First>() | velocity_rows<Second>()
                                                                         << First::kDimension;

  [[no_unique_address]] First first;
  [[no_unique_address]] Second second;

  constexpr Status check() const {
    const Status status = check_constraint(first);
    return status == Status::kOk ? check_constraint(second) : status;
  }
  constexpr Rows<Scalar, kDimension> rows(const FrameMotion<Scalar>& A,
                                          const FrameMotion<Scalar>& B, const Scalar& time) const {
    Rows<Scalar, kDimension> all;
    const auto append = [&](const auto& part, std::size_t offset) {
      for (std::size_t i = 0; i < part.value.size(); ++i) {
        all.value[offset + i] = part.value[i];
        all.a[offset + i] = part.a[i], all.b[offset + i] = part.b[i];
        all.phi_t[offset + i] = part.phi_t[i], all.bias[offset + i] = part.bias[i];
      }
    };
    append(first.rows(A, B, time), 0);
    append(second.rows(A, B, time), at(First::kDimension));
    return all;
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
