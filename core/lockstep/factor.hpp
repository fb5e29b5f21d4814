// Baraff's `sparsefactor` and `sparsesolve` (section 7.3, appendix A): `factor` and `solve` for
// H x = r, where H's graph is a forest of nodes of at most 18 rows, coupled to 9 or fewer unknowns
// of their parent. Nodes stand in Forward order (children first: `ordermatrix`); each has its block
// D and the one block J towards its parent. H = L D L^T without fill-in, one pass each; one factor
// serves any number of right sides, such as the columns of equation (12). Shapes may be constants
// (ConstantNodes) or a table (NodeSpan): the same operations, the same bits.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "lockstep/model.hpp"
#include "lockstep/spatial.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

// The numbers of all nodes lie in two arrays: D and J, row by row, node after node; and x.
struct NodeShape {
  NodeKind kind = NodeKind::kBody;
  int dimension = 0;
  int parent = kNone;  // a later node, or kNone
  int columns = 0;     // how many leading unknowns of the parent J couples to
  int D = 0, J = 0;    // where these begin in `blocks`
  int x = 0;
  int parent_D = 0, parent_dimension = 0, parent_x = 0;
  constexpr bool operator==(const NodeShape&) const = default;
};

struct NodeSizes {
  int blocks = 0, x = 0;
};

// Gives every node its place in the arrays and returns their sizes. Kinds, dimensions, parents and
// columns are given.
constexpr NodeSizes place_nodes(std::span<NodeShape> forward) {
  NodeSizes sizes;
  for (NodeShape& n : forward) {
    n.D = sizes.blocks;
    n.J = n.D + n.dimension * n.dimension;
    n.x = sizes.x;
    sizes = {n.J + n.dimension * n.columns, n.x + n.dimension};
  }
  for (NodeShape& n : forward) {
    if (n.parent == kNone) continue;
    const NodeShape& parent = forward[static_cast<std::size_t>(n.parent)];
    n.parent_D = parent.D, n.parent_dimension = parent.dimension, n.parent_x = parent.x;
  }
  return sizes;
}

namespace detail {

// The largest node: a body of nine velocities that nine rows hold to the world.
inline constexpr int kMaxColumns = 9, kMaxNodeDimension = 2 * kMaxColumns;
constexpr bool nodes_fit(std::span<const NodeShape> nodes) {
  bool fit = true;
  for (const NodeShape& n : nodes) {
    fit &= n.dimension <= kMaxNodeDimension && n.columns <= kMaxColumns;
  }
  return fit;
}

}  // namespace detail

// A shape of which only the sizes are constants: its loops are unrolled, its place is not.
template <NodeKind kKind, int kDimension, int kColumns>
struct SizedShape {
  static constexpr NodeKind kind = kKind;
  static constexpr int dimension = kDimension, columns = kColumns;
  int parent, D, J, x, parent_D, parent_dimension, parent_x;
};

struct NodeSpan {
  std::span<const NodeShape> shapes;

  constexpr bool fit() const { return detail::nodes_fit(shapes); }
  template <class F>
  void forward(F&& f) const {
    for (const NodeShape& n : shapes) visit(n, f);
  }
  template <class F>
  void backward(F&& f) const {
    for (std::size_t i = shapes.size(); i-- > 0;) visit(shapes[i], f);
  }

 private:
  // The nodes of rigid bodies on ball joints, of planar bodies on pins and of particles on rods
  // have code of their own.
  template <class F>
  static void visit(const NodeShape& n, F& f) {
    using enum NodeKind;
    const bool special = visit_sized<kBody, 6, 3>(n, f) || visit_sized<kConstraint, 3, 6>(n, f) ||
                         visit_sized<kBody, 3, 2>(n, f) || visit_sized<kConstraint, 2, 3>(n, f) ||
                         visit_sized<kBody, 3, 1>(n, f) || visit_sized<kConstraint, 1, 3>(n, f);
    if (!special) f(n);
  }
  template <NodeKind kKind, int kDimension, int kColumns, class F>
  static bool visit_sized(const NodeShape& n, F& f) {
    if (n.kind != kKind || n.dimension != kDimension || n.columns != kColumns) return false;
    f(SizedShape<kKind, kDimension, kColumns>{n.parent, n.D, n.J, n.x, n.parent_D,
                                              n.parent_dimension, n.parent_x});
    return true;
  }
};

// A shape whose members are constants, so that a node's loops are unrolled.
template <NodeShape kShape>
struct ConstantShape {
  static constexpr NodeKind kind = kShape.kind;
  static constexpr int dimension = kShape.dimension, parent = kShape.parent;
  static constexpr int columns = kShape.columns, D = kShape.D, J = kShape.J, x = kShape.x;
  static constexpr int parent_D = kShape.parent_D, parent_x = kShape.parent_x;
  static constexpr int parent_dimension = kShape.parent_dimension;
};

// Shapes of a static array.
template <const auto& kShapes>
struct ConstantNodes {
  static constexpr int kCount = static_cast<int>(kShapes.size());
  static_assert(detail::nodes_fit(kShapes), "nodes have at most 18 rows and 9 columns");

  static constexpr bool fit() { return true; }
  template <class F>
  void forward(F&& f) const {
    unroll<kCount>([&](auto i) { f(ConstantShape<kShapes[static_cast<std::size_t>(i())]>{}); });
  }
  template <class F>
  void backward(F&& f) const {
    unroll<kCount>(
        [&](auto i) { f(ConstantShape<kShapes[static_cast<std::size_t>(kCount - 1 - i())]>{}); });
  }
};

namespace detail {

template <class T>
using NodeRow = std::array<T, static_cast<std::size_t>(kMaxNodeDimension)>;
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// L D L^T in place: L below the diagonal, the reciprocal pivots on it. A body's block is positive
// definite, a constraint's negative definite: neither needs pivoting. Nothing above the diagonal is
// read or written.
template <class Shape, class T>
bool factor_definite(const Shape& n, T* D) {
  const int size = n.dimension;
  NodeRow<T> pivot, scaled;
  bool definite = true;
  for (int j = 0; j < size; ++j) {
    T* row = D + j * size;
    T d = row[j];
    for (int p = 0; p < j; ++p) {
      scaled[at(p)] = row[p] * pivot[at(p)];
      d = d - row[p] * scaled[at(p)];
    }
    pivot[at(j)] = d;
    definite = definite & (n.kind == NodeKind::kBody ? d > T(0) : d < T(0));
    const T reciprocal = T(1) / d;
    for (int i = j + 1; i < size; ++i) {
      T* below = D + i * size;
      T sum = below[j];
      for (int p = 0; p < j; ++p) sum = sum - below[p] * scaled[at(p)];
      below[j] = sum * reciprocal;
    }
    row[j] = reciprocal;
  }
  return definite;
}

// D^-1 in place by Gauss-Jordan elimination with row pivoting, for the indefinite block of a pair.
template <class Shape, class T>
bool invert(const Shape& n, T* D) {
  const auto magnitude = [](const T& value) { return value < T(0) ? -value : value; };
  const int size = n.dimension;
  const auto entry = [&](int i, int j) -> T& { return D[i * size + j]; };
  std::array<int, at(kMaxNodeDimension)> swapped;
  bool regular = true;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) entry(j, i) = entry(i, j);
  }
  for (int j = 0; j < size; ++j) {
    int best = j;
    for (int i = j + 1; i < size; ++i) {
      if (magnitude(entry(i, j)) > magnitude(entry(best, j))) best = i;
    }
    swapped[at(j)] = best;
    for (int c = 0; c < size; ++c) std::swap(entry(j, c), entry(best, c));
    const T pivot = entry(j, j);
    regular = regular & (magnitude(pivot) > T(0));
    entry(j, j) = T(1);
    for (int c = 0; c < size; ++c) entry(j, c) = entry(j, c) / pivot;
    for (int i = 0; i < size; ++i) {
      if (i == j) continue;
      const T factor = entry(i, j);
      entry(i, j) = T(0);
      for (int c = 0; c < size; ++c) entry(i, c) = entry(i, c) - factor * entry(j, c);
    }
  }
  for (int j = size - 1; j >= 0; --j) {
    for (int i = 0; i < size; ++i) std::swap(entry(i, j), entry(i, swapped[at(j)]));
  }
  return regular;
}

// Y := D^-1 Y for `columns` columns beside each other, with D as `factor` left it.
template <class Shape, class T>
void apply_inverse(const Shape& n, const T* D, T* Y, int columns) {
  const int size = n.dimension;
  if (n.kind == NodeKind::kPair) {
    for (int c = 0; c < columns; ++c) {
      NodeRow<T> y;
      for (int i = 0; i < size; ++i) {
        T sum = D[i * size] * Y[c];
        for (int j = 1; j < size; ++j) sum = sum + D[i * size + j] * Y[j * columns + c];
        y[at(i)] = sum;
      }
      for (int i = 0; i < size; ++i) Y[i * columns + c] = y[at(i)];
    }
    return;
  }
  const auto subtract = [&](int i, const T& factor, int from) {
    for (int c = 0; c < columns; ++c) {
      Y[i * columns + c] = Y[i * columns + c] - factor * Y[from * columns + c];
    }
  };
  for (int i = 0; i < size; ++i) {
    for (int p = 0; p < i; ++p) subtract(i, D[i * size + p], p);
  }
  for (int i = 0; i < size; ++i) {
    for (int c = 0; c < columns; ++c) Y[i * columns + c] = Y[i * columns + c] * D[i * size + i];
  }
  for (int i = size - 1; i >= 0; --i) {
    for (int p = i + 1; p < size; ++p) subtract(i, D[p * size + i], p);
  }
}

// D becomes its factor or inverse, J becomes D^-1 J, and the parent loses J^T D^-1 J: the lower
// triangle of it, which is all that anyone reads.
template <class Shape, class T>
bool eliminate(const Shape& n, T* blocks) {
  T *D = blocks + n.D, *J = blocks + n.J;
  const bool regular = n.kind == NodeKind::kPair ? invert(n, D) : factor_definite(n, D);
  if (n.parent == kNone) return regular;
  std::array<T, at(kMaxNodeDimension * kMaxColumns)> before;
  const int count = n.dimension * n.columns;
  for (int i = 0; i < count; ++i) before[at(i)] = J[i];
  apply_inverse(n, D, J, n.columns);
  T* above = blocks + n.parent_D;
  for (int r = 0; r < n.columns; ++r) {
    for (int c = 0; c <= r; ++c) {
      T sum = before[at(r)] * J[c];
      for (int i = 1; i < n.dimension; ++i) {
        sum = sum + before[at(i * n.columns + r)] * J[i * n.columns + c];
      }
      above[r * n.parent_dimension + c] = above[r * n.parent_dimension + c] - sum;
    }
  }
  return regular;
}

}  // namespace detail

// Baraff's `sparsefactor`. Overwrites every D and J; of D only the lower triangle is read. Nodes
// beyond the limits are refused before anything is written.
template <class Nodes, class T>
Status factor(const Nodes& nodes, T* blocks) {
  if (!nodes.fit()) return Status::kTooManyRows;
  bool regular = true;
  nodes.forward([&](const auto& n) { regular &= detail::eliminate(n, blocks); });
  return regular ? Status::kOk : Status::kSingular;
}

// The two halves of `sparsesolve`. L^-1 of the right side, in place; of one node, whose children
// are done:
template <class Shape, class T>
void solve_forward_at(const Shape& n, const T* blocks, T* all) {
  if (n.parent == kNone) return;
  const T *J = blocks + n.J, *x = all + n.x;
  T* above = all + n.parent_x;
  for (int c = 0; c < n.columns; ++c) {
    T sum = J[c] * x[0];
    for (int i = 1; i < n.dimension; ++i) sum = sum + J[i * n.columns + c] * x[i];
    above[c] = above[c] - sum;
  }
}
template <class Nodes, class T>
void solve_forward(const Nodes& nodes, const T* blocks, T* all) {
  nodes.forward([&](const auto& n) { solve_forward_at(n, blocks, all); });
}
// Then L^-T D^-1.
template <class Nodes, class T>
void solve_backward(const Nodes& nodes, const T* blocks, T* all) {
  nodes.backward([&](const auto& n) {
    const T* J = blocks + n.J;
    T* x = all + n.x;
    detail::apply_inverse(n, blocks + n.D, x, 1);
    if (n.parent == kNone) return;
    const T* above = all + n.parent_x;
    for (int i = 0; i < n.dimension; ++i) {
      T sum = J[i * n.columns] * above[0];
      for (int c = 1; c < n.columns; ++c) sum = sum + J[i * n.columns + c] * above[c];
      x[i] = x[i] - sum;
    }
  });
}

// Baraff's `sparsesolve`, with what `factor` left where it returned kOk. Overwrites x, from the
// right side to the solution.
template <class Nodes, class T>
void solve(const Nodes& nodes, const T* blocks, T* all) {
  solve_forward(nodes, blocks, all);
  solve_backward(nodes, blocks, all);
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
