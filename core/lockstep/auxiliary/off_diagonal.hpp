// Off-diagonal blocks of H between bodies that the tree keeps apart, as a contact between two makes
// them: C_ij is what body i feels of body j's acceleration, its transpose what j feels of i's. They
// go along in the elimination of the tree: each body hands its blocks on to its parent and to all
// that it has blocks with (fill-in). A stack of n boxes costs O(n); bodies without are as ever.
//   With U_j = L^-1 C_ij,F and G_j = C_ij - W^T U_j, p + c the acceleration but for the joint's
//   own: C_ij^T a_i = G_j^T (p + c) + U_j^T y - sum over k of U_j^T D^-1 U_k a_k
#pragma once

#include <array>

#include "lockstep/constraint/frame.hpp"
#include "lockstep/contact/records.hpp"
#include "lockstep/passes.hpp"

namespace lockstep::auxiliary {

// By columns: a wrench on one body for each axis of the other's acceleration.
template <class T>
using Block6 = std::array<Spatial<T>, 6>;

template <class T>
constexpr Block6<T> transposed(const Block6<T>& C) {
  Block6<T> result;
  unroll<6>([&](auto row) {
    unroll<6>([&](auto column) { result[at(row())][column] = C[at(column())][row]; });
  });
  return result;
}

// What a force G (x_a + x_b) at a point of two bodies' own makes between them: K_a G K_b^T, with
// K = [R; [p]x R] of a frame at the point.
template <class T>
constexpr Block6<T> point_block(const Placement<T>& X_a, const Sym3<T>& G,
                                const Placement<T>& X_b) {
  const Mat3<T> N = X_a.R * G.full();
  const auto column = [&](const T& x, const T& y, const T& z) {  // of N R_b^T
    return N.x * x + N.y * y + N.z * z;
  };
  const Mat3<T>& R = X_b.R;
  const Mat3<T> Q = {column(R.x.x, R.y.x, R.z.x), column(R.x.y, R.y.y, R.z.y),
                     column(R.x.z, R.y.z, R.z.z)};
  const Vec3<T>& p = X_b.p;  // columns of -Q [p]x
  const auto at_a = [&](const Vec3<T>& f) { return Spatial<T>{f, cross(X_a.p, f)}; };
  return {at_a(Q.x),
          at_a(Q.y),
          at_a(Q.z),
          at_a(p.y * Q.z - p.z * Q.y),
          at_a(p.z * Q.x - p.x * Q.z),
          at_a(p.x * Q.y - p.y * Q.x)};
}

template <class T, int kBodies, int kCapacity>
class OffDiagonal {
 public:
  constexpr int count() const { return count_; }

  constexpr void clear() {
    first_.fill(kNone);
    count_ = 0;
  }
  // A block between two bodies, if there is none yet. False if there is no room.
  constexpr bool connect(int a, int b) {
    if constexpr (kCapacity == 0) return false;
    if (find(a, b) != kNone) return true;
    if (count_ >= kCapacity) return false;
    int& first = first_[at(a > b ? a : b)];
    blocks_[at(count_)].other = a > b ? b : a;
    blocks_[at(count_)].next = first;
    first = count_++;
    return true;
  }
  // Room for what elimination hands on. `bodies`: anything with a parent.
  template <class Bodies>
  constexpr bool fill_in(const Bodies& bodies) {
    if constexpr (kCapacity == 0) return true;
    bool fits = true;
    for (int i = static_cast<int>(bodies.size()) - 1; fits && i >= 0; --i) {
      const int parent = bodies[at(i)].parent;
      for_blocks(i, [&](const Block& own) {
        if (parent != kWorld && parent != own.other) fits = fits && connect(parent, own.other);
        for_blocks(i, [&](const Block& other) {
          if (own.other > other.other) fits = fits && connect(own.other, other.other);
        });
      });
    }
    return fits;
  }

  void set_zero() {
    for (int i = 0; i < count_; ++i) blocks_[at(i)].C = {};
  }
  // A block that there is, seen from a.
  void add(int a, int b, const Block6<T>& C) {
    if constexpr (kCapacity == 0) return;
    Block6<T>& sum = blocks_[at(find(a, b))].C;
    const Block6<T> seen = a > b ? C : transposed(C);
    for (std::size_t i = 0; i < seen.size(); ++i) sum[i] = sum[i] + seen[i];
  }

  // After the elimination of body i, which `passes` did.
  template <JointType kJoint, class Passes>
  void eliminate(const Passes& passes, int i, const BodyData<T>& body) {
    if (first_[at(i)] == kNone) return;
    const BodyState<T>& state = passes.states[i];
    const bool on_world = body.parent == kWorld;
    Spatial<T> start = state.c;  // its acceleration while parent and joint have none
    if (on_world) {
      const Vec3<T> fall = {-passes.ask.gravity[0], -passes.ask.gravity[1], -passes.ask.gravity[2]};
      start = start + to_child<kJoint>(body.X_PJ, state.pose, Spatial<T>{fall, {}});
    }
    for_blocks(i, [&](Block& own) {
      BodyState<T>& other = passes.states[own.other];
      Block6<T> above;
      unroll<6>([&](auto column) {
        Spatial<T>& C = own.C[at(column())];
        const Spatial<T> G = hand_on<kJoint>(passes, body, state, C);
        T& f = other.f[column];
        f = f + dot(G, start);
        for_free_axes<kJoint>([&](auto, auto axis) { f = f + C[axis] * state.f[axis]; });
        if (!on_world) above[at(column())] = to_parent<kJoint>(body.X_PJ, state.pose, G);
      });
      if (on_world) return;
      if (own.other == body.parent) {
        add_both_ways(above, other.B);
      } else {
        add(body.parent, own.other, above);
      }
    });
    for_blocks(i, [&](const Block& own) {
      for_blocks(i, [&](const Block& other) {
        if (own.other < other.other) return;
        const Block6<T> lost = product<kJoint>(state.B, own.C, other.C);
        if (own.other == other.other) {
          subtract(lost, passes.states[own.other].B);
        } else {
          Block6<T>& sum = blocks_[at(find(own.other, other.other))].C;
          for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = sum[k] - lost[k];
        }
      });
    });
  }

  // Before the accelerations of body i, when those of smaller numbers are known.
  template <JointType kJoint>
  void resolve(BodyState<T>* states, int i) {
    for_blocks(i, [&](const Block& own) {
      BodyState<T>& state = states[i];
      const Spatial<T>& a = states[own.other].V;
      Spatial<T> wrench{};
      unroll<6>([&](auto column) {
        const Spatial<T>& C = own.C[at(column())];
        const T& along = a[column];
        wrench = wrench + Spatial<T>{along * C.linear, along * C.angular};
      });
      for_free_axes<kJoint>([&](auto, auto axis) {
        state.f[axis] = state.f[axis] - state.B(axis, axis) * wrench[axis];
      });
      for_constrained_axes<kJoint>([&](auto, auto n) { state.f[n] = state.f[n] + wrench[n]; });
    });
  }

 private:
  struct Block {
    int other, next;
    Block6<T> C;  // after `eliminate` U on F and G on N
  };

  constexpr int find(int a, int b) const {
    const int other = a > b ? b : a;
    int i = first_[at(a > b ? a : b)];
    while (i != kNone && blocks_[at(i)].other != other) i = blocks_[at(i)].next;
    return i;
  }
  template <class F>
  constexpr void for_blocks(int body, F&& f) {
    for (int i = first_[at(body)]; i != kNone; i = blocks_[at(i)].next) f(blocks_[at(i)]);
  }

  // A wrench on the body becomes U and G_N; returns G, with what the joint's own inertia lets
  // through on F.
  template <JointType kJoint, class Passes>
  static Spatial<T> hand_on(const Passes& passes, const BodyData<T>& body,
                            const BodyState<T>& state, Spatial<T>& C) {
    const Inertia6<T>& B = state.B;
    std::array<T, dof_count(kJoint)> u;
    for_free_axes<kJoint>([&](auto k, auto axis) { u[k()] = C[axis]; });
    solve_lower<kJoint>(B, u);
    Spatial<T> G{};
    for_constrained_axes<kJoint>([&](auto, auto n) {
      for_free_axes<kJoint>([&](auto k, auto axis) { C[n] = C[n] - B(axis, n) * u[k()]; });
      G[n] = C[n];
    });
    for_free_axes<kJoint>([&](auto k, auto axis) { C[axis] = u[k()]; });
    passes.template with_load<kJoint>(body, [&](auto loaded, const T* A) {
      if constexpr (loaded() && kMayBeGeared<kJoint>) {
        G.template at<JointAxes<kJoint>::kFree[0]>() = rotor_lead<kJoint>(A[0], state, u[0]);
      } else if constexpr (loaded()) {
        const auto share = soft_share<kJoint>(B, A, u);
        for_free_axes<kJoint>([&](auto k, auto axis) { G[axis] = -share[k()]; });
      }
    });
    return G;
  }

  // U_a^T D^-1 U_b
  template <JointType kJoint>
  static Block6<T> product(const Inertia6<T>& B, const Block6<T>& U_a, const Block6<T>& U_b) {
    Block6<T> result;
    for (std::size_t column = 0; column < 6; ++column) {
      Spatial<T> scaled = U_b[column];
      for_free_axes<kJoint>([&](auto, auto axis) { scaled[axis] = scaled[axis] * B(axis, axis); });
      unroll<6>([&](auto row) {
        T sum(0);
        for_free_axes<kJoint>(
            [&](auto, auto axis) { sum = sum + U_a[at(row())][axis] * scaled[axis]; });
        result[column][row] = sum;
      });
    }
    return result;
  }

  static void subtract(const Block6<T>& lost, Inertia6<T>& B) {
    unroll<6>([&](auto column) {
      unroll<column() + 1>(
          [&](auto row) { B(row, column) = B(row, column) - lost[at(column())][row]; });
    });
  }
  // C + C^T
  static void add_both_ways(const Block6<T>& C, Inertia6<T>& B) {
    unroll<6>([&](auto column) {
      unroll<column() + 1>([&](auto row) {
        B(row, column) = B(row, column) + (C[at(column())][row] + C[at(row())][column]);
      });
    });
  }

  std::array<int, at(kCapacity > 0 ? kBodies : 0)> first_ = {};
  std::array<Block, at(kCapacity)> blocks_;
  int count_ = 0;
};

}  // namespace lockstep::auxiliary

namespace lockstep {

// How many blocks a model has at most: with every pair of its shapes touching.
template <EmittedModel Model>
constexpr int off_diagonal_blocks() {
  if constexpr (requires { Model::kColliderPairs.size(); }) {
    constexpr int kBodies = static_cast<int>(Model::kBodies.size());
    auxiliary::OffDiagonal<float, kBodies, kBodies*(kBodies - 1) / 2> all;
    all.clear();
    for (const contact::ColliderPair& pair : Model::kColliderPairs) {
      const int a = Model::kColliders[at(pair.a)].body, b = Model::kColliders[at(pair.b)].body;
      if (a != b && a != kWorld && b != kWorld) (void)all.connect(a, b);
    }
    (void)all.fill_in(Model::kBodies);
    return all.count();
  } else {
    return 0;
  }
}

}  // namespace lockstep
