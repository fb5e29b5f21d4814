// Constraint anticipation (Baraff 1996, section 8): what a unit force along each auxiliary row does
// to all of them, the primary constraints holding. It is the matrix of equation (12), Ja M^^-1 K,
// in the workless form of the acknowledgements: with H = L D L^T and z_i = L^-1 r_i,
//   A_ij = r_i^T H^-1 r_j = z_i^T D^-1 z_j,
// half a `sparsesolve` a row, along the paths of the row's own bodies to the root, and products
// over the part of the paths that two rows share (the Delassus matrix, in O(k depth) + O(k^2
// depth)). Behind it stands something factored: a tree in joint space, or the forest of a
// mechanism.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <concepts>

#include "lockstep/rows/row.hpp"

namespace lockstep::rows {

// sweep(i): step 3 of section 8.2 for row i, half of it; false if it overflows. product(i, j): row
// i's motion as row j pushes. works(i): row i pushes elsewhere than it measures (K is not Ja^T).
template <class F>
concept Factored = requires(F& factored, int i) {
  { factored.sweep(i) } -> std::same_as<bool>;
  { factored.works(i) } -> std::same_as<bool>;
  factored.product(i, i);
};

template <class T, int kMaxRows, Factored F>
Status anticipate(F&& factored, int count, Matrix<T, kMaxRows>& A) {
  bool finite = true;
  for (int i = 0; i < count; ++i) finite &= factored.sweep(i);
  if (!finite) return Status::kOverflow;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const bool known = j < i && !factored.works(i) && !factored.works(j);
      A[at(i)][at(j)] = known ? A[at(j)][at(i)] : factored.product(i, j);
    }
  }
  return Status::kOk;
}

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
