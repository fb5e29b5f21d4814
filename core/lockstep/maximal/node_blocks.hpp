// Where M and J of a mechanism stand in the blocks of factor.hpp.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/mechanism.hpp"

namespace lockstep::maximal {

// M, and nothing in the rows of the world that share the body's node.
template <class T, std::size_t kSize>
void put_mass(const std::array<std::array<T, kSize>, kSize>& M, const NodeShape& node, T* blocks) {
  T* D = blocks + node.D;
  for (int i = 0; i < node.J - node.D; ++i) D[i] = T(0);
  for (int i = 0; i < static_cast<int>(kSize); ++i) {
    for (int j = 0; j <= i; ++j) D[i * node.dimension + j] = M[at(i)][at(j)];
  }
}

// -J where H has it: below the body in one node, or in the block of the node that comes first.
template <class AnyMatrix, class T>
void put_jacobian(const ConstraintPlace& place, const EndPlace& end, int rows, const AnyMatrix& J,
                  T* blocks) {
  if (end.dimension == 0) return;
  const int columns = end.dimension;
  if (end.same) {
    T* D = blocks + end.node.D + place.row * end.node.dimension;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) D[i * end.node.dimension + j] = -J[at(i)][at(j)];
    }
  } else if (end.child) {
    T* block = blocks + end.node.J;
    const int stride =
        end.node.columns;  // more than the rows, where some that yield share the node
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) block[j * stride + place.row + i] = -J[at(i)][at(j)];
    }
    for (int j = columns; j < end.node.dimension; ++j) {
      for (int i = 0; i < rows; ++i) block[j * stride + place.row + i] = T(0);
    }
  } else {
    T* block = blocks + place.node.J + place.row * columns;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) block[i * columns + j] = -J[at(i)][at(j)];
    }
  }
}

// Both ends of a constraint that is not auxiliary. Masses are put before.
template <class T, class AnyBlocks>
void put_jacobians(const ConstraintPlace& place, const AnyBlocks& own, T* blocks) {
  if (place.node.kind == NodeKind::kConstraint && place.row == 0) {
    T* D = blocks + place.node.D;
    for (int i = 0; i < place.node.J - place.node.D; ++i) D[i] = T(0);
  }
  put_jacobian(place, place.a, own.size(), own.J_A, blocks);
  put_jacobian(place, place.b, own.size(), own.J_B, blocks);
}

// What rows give to forces along them: -1 / P on the diagonal of H.
template <class T>
void put_compliance(const ConstraintPlace& place, const T& compliance, T* blocks) {
  const int next = place.node.dimension + 1;
  T* D = blocks + place.node.D + place.row * next;
  for (int i = 0; i < place.dimension; ++i) D[i * next] = -compliance;
}

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
