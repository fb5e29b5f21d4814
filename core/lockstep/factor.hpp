// Baraff's appendix A: `factor` and `solve` for H x = r, where H's graph is a forest, over nodes of
// any dimension up to kMaxDim. Nodes stand in Forward order (children first); each keeps its
// diagonal block D and the one block J towards its parent. H = L D L^T without fill-in, one pass
// over the nodes each, the same factor for as many right sides as one likes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "lockstep/model.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

template <class T, int kMaxDim>
struct NodeBlock {
  using Row = std::array<T, static_cast<std::size_t>(kMaxDim)>;

  NodeKind kind;
  int dimension;
  int parent;   // a later node, or kNone
  int columns;  // how many leading unknowns of the parent J couples to
  std::array<Row, static_cast<std::size_t>(kMaxDim)> D;  // becomes its own factor or inverse
  std::array<Row, static_cast<std::size_t>(kMaxDim)> J;  // becomes D^-1 J
  Row x;                                                 // right side, becomes the solution
};

namespace detail {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// L D L^T in place: L below the diagonal, the reciprocal pivots on it. A body's block is positive
// definite, a constraint's negative definite: neither needs pivoting.
template <class T, int kMaxDim>
bool factor_definite(NodeBlock<T, kMaxDim>& n) {
  std::array<T, at(kMaxDim)> pivot, scaled;
  bool definite = true;
  for (int j = 0; j < n.dimension; ++j) {
    T d = n.D[at(j)][at(j)];
    for (int p = 0; p < j; ++p) {
      scaled[at(p)] = n.D[at(j)][at(p)] * pivot[at(p)];
      d = d - n.D[at(j)][at(p)] * scaled[at(p)];
    }
    pivot[at(j)] = d;
    definite = definite & (n.kind == NodeKind::kBody ? d > T(0) : d < T(0));
    const T reciprocal = T(1) / d;
    for (int i = j + 1; i < n.dimension; ++i) {
      T sum = n.D[at(i)][at(j)];
      for (int p = 0; p < j; ++p) sum = sum - n.D[at(i)][at(p)] * scaled[at(p)];
      n.D[at(i)][at(j)] = sum * reciprocal;
    }
    n.D[at(j)][at(j)] = reciprocal;
  }
  return definite;
}

// D^-1 in place by Gauss-Jordan elimination with row pivoting, for the indefinite block of a pair.
template <class T, int kMaxDim>
bool invert(NodeBlock<T, kMaxDim>& n) {
  const auto magnitude = [](const T& value) { return value < T(0) ? -value : value; };
  std::array<int, at(kMaxDim)> swapped;
  bool regular = true;
  for (int j = 0; j < n.dimension; ++j) {
    int best = j;
    for (int i = j + 1; i < n.dimension; ++i) {
      if (magnitude(n.D[at(i)][at(j)]) > magnitude(n.D[at(best)][at(j)])) best = i;
    }
    swapped[at(j)] = best;
    std::swap(n.D[at(j)], n.D[at(best)]);
    const T pivot = n.D[at(j)][at(j)];
    regular = regular & (magnitude(pivot) > T(0));
    n.D[at(j)][at(j)] = T(1);
    for (int c = 0; c < n.dimension; ++c) n.D[at(j)][at(c)] = n.D[at(j)][at(c)] / pivot;
    for (int i = 0; i < n.dimension; ++i) {
      if (i == j) continue;
      const T factor = n.D[at(i)][at(j)];
      n.D[at(i)][at(j)] = T(0);
      for (int c = 0; c < n.dimension; ++c) {
        n.D[at(i)][at(c)] = n.D[at(i)][at(c)] - factor * n.D[at(j)][at(c)];
      }
    }
  }
  for (int j = n.dimension - 1; j >= 0; --j) {
    for (int i = 0; i < n.dimension; ++i)
      std::swap(n.D[at(i)][at(j)], n.D[at(i)][at(swapped[at(j)])]);
  }
  return regular;
}

// y := D^-1 y, with D as `factor` left it. `get(i)` is a reference to component i.
template <class T, int kMaxDim, class Get>
void apply_inverse(const NodeBlock<T, kMaxDim>& n, Get&& get) {
  if (n.kind == NodeKind::kPair) {
    std::array<T, at(kMaxDim)> y;
    for (int i = 0; i < n.dimension; ++i) {
      T sum = n.D[at(i)][0] * get(0);
      for (int j = 1; j < n.dimension; ++j) sum = sum + n.D[at(i)][at(j)] * get(j);
      y[at(i)] = sum;
    }
    for (int i = 0; i < n.dimension; ++i) get(i) = y[at(i)];
    return;
  }
  for (int i = 0; i < n.dimension; ++i) {
    for (int p = 0; p < i; ++p) get(i) = get(i) - n.D[at(i)][at(p)] * get(p);
  }
  for (int i = 0; i < n.dimension; ++i) get(i) = get(i) * n.D[at(i)][at(i)];
  for (int i = n.dimension - 1; i >= 0; --i) {
    for (int p = i + 1; p < n.dimension; ++p) get(i) = get(i) - n.D[at(p)][at(i)] * get(p);
  }
}

}  // namespace detail

// Overwrites every D and J. A child subtracts J^T D^-1 J from its parent as soon as it is done.
template <class T, int kMaxDim>
Status factor(std::span<NodeBlock<T, kMaxDim>> forward) {
  using detail::at;
  bool regular = true;
  for (NodeBlock<T, kMaxDim>& n : forward) {
    regular &= n.kind == NodeKind::kPair ? detail::invert(n) : detail::factor_definite(n);
    if (n.parent == kNone) continue;
    const auto J = n.J;
    for (int c = 0; c < n.columns; ++c) {
      detail::apply_inverse(n, [&](int i) -> T& { return n.J[at(i)][at(c)]; });
    }
    NodeBlock<T, kMaxDim>& parent = forward[at(n.parent)];
    for (int r = 0; r < n.columns; ++r) {
      for (int c = 0; c < n.columns; ++c) {
        T sum = J[0][at(r)] * n.J[0][at(c)];
        for (int i = 1; i < n.dimension; ++i) sum = sum + J[at(i)][at(r)] * n.J[at(i)][at(c)];
        parent.D[at(r)][at(c)] = parent.D[at(r)][at(c)] - sum;
      }
    }
  }
  return regular ? Status::kOk : Status::kSingular;
}

// Overwrites every x, from the right side to the solution.
template <class T, int kMaxDim>
void solve(std::span<NodeBlock<T, kMaxDim>> forward) {
  using detail::at;
  for (const NodeBlock<T, kMaxDim>& n : forward) {
    if (n.parent == kNone) continue;
    auto& parent = forward[at(n.parent)];
    for (int c = 0; c < n.columns; ++c) {
      T sum = n.J[0][at(c)] * n.x[0];
      for (int i = 1; i < n.dimension; ++i) sum = sum + n.J[at(i)][at(c)] * n.x[at(i)];
      parent.x[at(c)] = parent.x[at(c)] - sum;
    }
  }
  for (std::size_t back = forward.size(); back-- > 0;) {
    NodeBlock<T, kMaxDim>& n = forward[back];
    detail::apply_inverse(n, [&](int i) -> T& { return n.x[at(i)]; });
    if (n.parent == kNone) continue;
    const auto& parent = forward[at(n.parent)];
    for (int i = 0; i < n.dimension; ++i) {
      T sum = n.J[at(i)][0] * parent.x[0];
      for (int c = 1; c < n.columns; ++c) sum = sum + n.J[at(i)][at(c)] * parent.x[at(c)];
      n.x[at(i)] = n.x[at(i)] - sum;
    }
  }
}

}  // namespace lockstep
