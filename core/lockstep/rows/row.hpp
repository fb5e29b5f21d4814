// The small dense system that auxiliary constraints leave behind (Baraff 1996, section 8):
// a = A mu + b, one multiplier mu and one acceleration a a row, with bounds on mu. Rows of forces
// that do no work give a symmetric positive semidefinite A; K != Ja^T gives an unsymmetric one.
// The same system in velocities and impulses, or positions, is for the caller to choose.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "lockstep/border.hpp"
#include "lockstep/model.hpp"
#include "lockstep/status.hpp"

namespace lockstep::rows {

enum class RowKind : std::uint8_t {
  kEquality,    // a = 0, mu of any sign
  kUnilateral,  // a >= 0, mu >= 0, a mu = 0: contacts, joint limits
  kBoxed,       // lower <= mu <= upper: a = 0 between, a >= 0 at lower, a <= 0 at upper
  kFriction,    // |mu| <= coefficient * mu of the normal row, against the slip a
};
inline constexpr int kRowKinds = 4;

template <class T>
struct RowBound {
  RowKind kind = RowKind::kEquality;
  T lower = T(0), upper = T(0);  // of a boxed row; may be infinite
  // Of a friction row. Two neighbours with the same normal row and coefficient share one cone; a
  // row on its own is friction in a plane. Friction against a slip that is already there is no such
  // row: its direction is known, so it belongs into the normal row's force (K != Ja^T).
  int normal = kNone;
  T coefficient = T(0);
  // of a row that yields: a is what it gives to mu, and as much is on the diagonal of A already
  T compliance = T(0);
};

template <class T, int kMaxRows>
using Values = std::array<T, static_cast<std::size_t>(kMaxRows)>;

template <class T, int kMaxRows>
using Matrix = std::array<Values<T, kMaxRows>, static_cast<std::size_t>(kMaxRows)>;

template <class T, int kMaxRows>
struct System {
  int count = 0;
  std::array<RowBound<T>, static_cast<std::size_t>(kMaxRows)> rows = {};
  Matrix<T, kMaxRows> A = {};  // by rows
  Values<T, kMaxRows> b = {};
};

enum class Stop : std::uint8_t {
  kConverged,     // every row within the tolerance
  kSweepsUsedUp,  // Gauss-Seidel stopped short
  kInconsistent,  // rows contradict each other; the others are within the tolerance
};

// Why the direct solver handed over to Gauss-Seidel.
enum class GaveUp : std::uint8_t {
  kNo,
  kPivotsUsedUp,  // it cycles, or the limit is low
  kNoWayOn,       // A is not positive semidefinite, or friction jams
  kNotSatisfied,  // it came to an end, and rounding spoiled the answer
  kOffTheCone,    // friction's pyramid was solved, and its cone was not
};

template <class T, int kMaxRows>
struct Solution {
  Values<T, kMaxRows> mu = {};  // Gauss-Seidel starts from what is here
  Values<T, kMaxRows> a = {};   // A mu + b
  T violation = T(0);           // the largest by which a row's conditions fail, in units of a
  int redundant = 0;            // rows that the others settle; direct solvers only
  int pivots = 0, sweeps = 0;
  Stop stop = Stop::kConverged;
  GaveUp gave_up = GaveUp::kNo;
};

// Relative to the numbers that a sum is made of: below this it is zero, and a row is redundant.
template <class T>
inline constexpr T kTolerance = sizeof(T) == sizeof(float) ? T(3e-5) : T(1e-10);

// Not negative, and a number.
template <class T>
constexpr Status check_tolerance(const T& tolerance) {
  const bool good = tolerance >= T(0) && tolerance <= std::numeric_limits<T>::max();
  return good ? Status::kOk : Status::kBadTolerance;
}

using lockstep::at;

template <class T>
constexpr T magnitude(const T& x) {
  return x < T(0) ? -x : x;
}

// Sizes, numbers and the meaning of every row.
template <class T, int kMaxRows>
Status check(const System<T, kMaxRows>& system) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (system.count < 0 || system.count > kMaxRows) return Status::kWrongSize;
  bool finite = all_finite(system.b.data(), system.count), meant = true;
  for (int i = 0; i < system.count; ++i) {
    finite &= all_finite(system.A[at(i)].data(), system.count);
    const RowBound<T>& row = system.rows[at(i)];
    meant &= static_cast<int>(row.kind) < kRowKinds;
    if (row.kind == RowKind::kBoxed) {
      meant &= row.lower <= row.upper && kInfinity > row.lower && row.upper > -kInfinity;
    }
    if (row.kind == RowKind::kFriction) {
      meant &= row.coefficient >= T(0) && is_finite(row.coefficient);
      if (row.normal < 0 || row.normal >= system.count) return Status::kBadConstraint;
      const RowBound<T>& normal = system.rows[at(row.normal)];
      meant &= normal.kind == RowKind::kUnilateral ||
               (normal.kind == RowKind::kBoxed && normal.lower >= T(0));
    }
  }
  if (!finite) return Status::kNotFinite;
  return meant ? Status::kOk : Status::kBadConstraint;
}

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
