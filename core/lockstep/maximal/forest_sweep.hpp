// Half a solve for one row on a factored forest, along the paths from the row's bodies to their
// roots: z = L^-1 r and D^-1 z, for rows/anticipate.hpp. O(depth) a row; memory that is not on its
// paths is never touched.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/body_row.hpp"

namespace lockstep::maximal {

template <class Mechanism>
class ForestSweep {
 public:
  using T = typename Mechanism::Scalar;

  // The row is a sum of terms. False if it is not finite.
  template <int kMaxTerms = 1>
  bool sweep(std::span<const NodeShape> nodes, const T* blocks, std::span<const BodyRow<T>> terms) {
    find_paths<kMaxTerms>(nodes, terms);
    for (const BodyRow<T>& term : terms) term.push(T(1), z_.data());
    T sum(0);
    for (int i = 0; i < count_; ++i) {
      NodeSpan{{&nodes[at(path_[at(i)])], 1}}.forward([&](const auto& n) {
        solve_forward_at(n, blocks, z_.data());
        std::copy_n(z_.data() + n.x, n.dimension, Dz_.data() + n.x);
        lockstep::detail::apply_inverse(n, blocks + n.D, Dz_.data() + n.x, 1);
        for (int k = n.x; k < n.x + n.dimension; ++k) sum = sum + Dz_[at(k)];
      });
    }
    return is_finite(sum);
  }

  // z^T D^-1 z' over the nodes of both.
  T product(std::span<const NodeShape> nodes, const ForestSweep& other) const {
    T sum(0);
    for (int i = 0, j = 0; i < count_ && j < other.count_;) {
      const int own = path_[at(i)], theirs = other.path_[at(j)];
      i += own <= theirs ? 1 : 0;
      j += theirs <= own ? 1 : 0;
      if (own != theirs) continue;
      const NodeShape& n = nodes[at(own)];
      for (int k = n.x; k < n.x + n.dimension; ++k) sum = sum + z_[at(k)] * other.Dz_[at(k)];
    }
    return sum;
  }
  // The row's rate as x = L^-1 of a right side has it, and that side with the row's force mu.
  T rate(std::span<const NodeShape> nodes, const T* x) const {
    T sum(0);
    for_unknowns(nodes, [&](int k) { sum = sum + Dz_[at(k)] * x[k]; });
    return sum;
  }
  void push(std::span<const NodeShape> nodes, const T& mu, T* x) const {
    for_unknowns(nodes, [&](int k) { x[k] = x[k] + mu * z_[at(k)]; });
  }

 private:
  // Children first; z is zero there.
  template <int kMaxTerms>
  void find_paths(std::span<const NodeShape> nodes, std::span<const BodyRow<T>> terms) {
    std::array<int, at(2 * kMaxTerms)> next;
    std::size_t ends = 0;
    for (const BodyRow<T>& term : terms) {
      for (const auto& end : term.ends) {
        if (end.dimension > 0) next[ends++] = end.node;
      }
    }
    const int last = static_cast<int>(nodes.size());
    for (count_ = 0;; ++count_) {
      int first = last;
      for (std::size_t i = 0; i < ends; ++i) {
        if (next[i] != kNone && next[i] < first) first = next[i];
      }
      if (first == last) return;
      const NodeShape& n = nodes[at(first)];
      for (std::size_t i = 0; i < ends; ++i) next[i] = next[i] == first ? n.parent : next[i];
      path_[at(count_)] = first;
      std::fill_n(z_.data() + n.x, n.dimension, T(0));
    }
  }

  template <class F>
  void for_unknowns(std::span<const NodeShape> nodes, F&& f) const {
    for (int i = 0; i < count_; ++i) {
      const NodeShape& n = nodes[at(path_[at(i)])];
      for (int k = n.x; k < n.x + n.dimension; ++k) f(k);
    }
  }

  int count_ = 0;
  std::array<int, at(Mechanism::kMaxBodies + Mechanism::kMaxConstraints)> path_;  // Forward
  std::array<T, at(Mechanism::kMaxUnknowns)> z_, Dz_;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
