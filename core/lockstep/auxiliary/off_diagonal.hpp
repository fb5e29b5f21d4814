// Off-diagonal blocks of H between bodies that the tree keeps apart, as a contact between two makes
// them: C_ij is what body i feels of body j's acceleration, its transpose what j feels of i's. They
// go along in the elimination of the tree: each body hands its blocks on to its parent and to all
// that it has blocks with (fill-in). A stack of n boxes costs O(n); bodies without are as ever.
//   With U_j = L^-1 C_ij,F and G_j = C_ij - W^T U_j, p + c the acceleration but for the joint's
//   own: C_ij^T a_i = G_j^T (p + c) + U_j^T y - sum over k of U_j^T D^-1 U_k a_k
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/constraint/frame.hpp"
#include "lockstep/contact/records.hpp"
#include "lockstep/passes.hpp"

namespace lockstep::auxiliary {

// By columns: a wrench on one body for each axis of the other's acceleration. Plain loops below:
// what few steps need is not worth five joint types' unrolled code.
template <class T>
using Vec6 = std::array<T, 6>;
template <class T>
using Block6 = std::array<Vec6<T>, 6>;

template <class T>
constexpr Vec6<T> to_array(const Spatial<T>& s) {
  return {s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z};
}
template <class T>
constexpr Spatial<T> to_spatial(const Vec6<T>& a) {
  return {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
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
  const auto at_a = [&](const Vec3<T>& f) { return to_array<T>({f, cross(X_a.p, f)}); };
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
    bool fits = true;
    for (int i = static_cast<int>(bodies.size()) - 1; fits && i >= 0; --i) {
      const int parent = bodies[at(i)].parent, leader = leader_of(bodies[at(i)]);
      for_blocks(i, [&](const Block& own) {
        if (parent != kWorld && parent != own.other) fits = fits && connect(parent, own.other);
        if (leader != kNone) {
          if (leader != own.other) fits = fits && connect(leader, own.other);
          return;
        }
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
    Block6<T>& sum = blocks_[at(find(a, b))].C;
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) sum[i][j] = sum[i][j] + (a > b ? C[i][j] : C[j][i]);
    }
  }

  // After the elimination of body i, which `passes` did.
  template <class Passes>
  void eliminate(const Passes& passes, int i, const BodyData<T>& body) {
    if (first_[at(i)] == kNone) return;
    if (body.leader != kNone) return divert(passes, i, body);
    const Eliminated own(passes, i, body);
    const Placement<T> X_PB = place_of(passes, i, body);
    const Spatial<T> start = start_of(passes, i, body, X_PB);
    for_blocks(i, [&](Block& block) {
      Vec6<T> felt;
      Block6<T> above;
      for (std::size_t column = 0; column < 6; ++column) {
        T& sum = felt[column];
        const Vec6<T> G = own.hand_on(block.C[column], sum);
        sum = sum + dot(to_spatial(G), start);
        above[column] = to_array(wrench_to_parent(X_PB, to_spatial(G)));
      }
      BodyState<T>& other = passes.states[block.other];
      other.f = other.f + to_spatial(felt);
      add_above(passes, body.parent, block.other, above);
    });
    for_blocks(i, [&](const Block& a) {
      for_blocks(i, [&](const Block& b) {
        if (a.other < b.other) return;
        const auto lost = [&](std::size_t j, std::size_t k) {
          return -own.product(a.C[j], b.C[k]);
        };
        if (a.other == b.other) return add_to(passes.states[a.other].B, lost);
        Block6<T>& sum = blocks_[at(find(a.other, b.other))].C;
        for (std::size_t k = 0; k < 6; ++k) {
          for (std::size_t j = 0; j < 6; ++j) sum[k][j] = sum[k][j] + lost(j, k);
        }
      });
    });
  }

  // What loads on body i, after its elimination, do to others: `y` = D^-1 u on its free axes.
  template <class Load>
  void hand_on(int i, const BodyData<T>& body, const Spatial<T>& y, Load&& load) {
    const Vec6<T> own = to_array(y);
    for_blocks(i, [&](const Block& block) {
      Vec6<T> F{};
      for (std::size_t column = 0; column < 6; ++column) {
        for (std::size_t axis = 0; axis < 6; ++axis) {
          if (is_free(body, axis)) F[column] = F[column] - block.C[column][axis] * own[axis];
        }
      }
      load(block.other, to_spatial(F));
    });
  }

  // Before the accelerations of body i, when those of smaller numbers are known.
  void resolve(BodyState<T>* states, int i, const BodyData<T>& body) {
    for_blocks(i, [&](const Block& block) {
      const Vec6<T> a = to_array(states[block.other].V);
      const Vec6<T> D = diagonal(states[i].B);
      Vec6<T> f = to_array(states[i].f);
      for (std::size_t row = 0; row < 6; ++row) {
        T sum(0);
        for (std::size_t k = 0; k < 6; ++k) sum = sum + block.C[k][row] * a[k];
        const bool solved = body.leader == kNone && is_free(body, row);
        f[row] = solved ? f[row] - D[row] * sum : f[row] + sum;
      }
      states[i].f = to_spatial(f);
    });
  }

 private:
  struct Block {
    int other, next;
    Block6<T> C;  // after `eliminate` U on F and G on N
  };

  static constexpr int leader_of(const auto& body) {
    if constexpr (requires { body.tie; })
      return body.tie.leader;
    else
      return body.leader;
  }
  template <class Passes>
  static Placement<T> place_of(const Passes& passes, int i, const BodyData<T>& body) {
    Placement<T> X_PB;
    dispatch(body.joint, [&]<JointType kJoint>() {
      X_PB = placement_of<kJoint>(body.X_PJ, passes.states[i].pose);
    });
    return X_PB;
  }
  // A body's acceleration while parent and joint have none.
  template <class Passes>
  static Spatial<T> start_of(const Passes& passes, int i, const BodyData<T>& body,
                             const Placement<T>& X_PB) {
    const Spatial<T>& c = passes.states[i].c;
    if (body.parent != kWorld) return c;
    const T* g = passes.ask.gravity;
    return c + twist_to_child(X_PB, Spatial<T>{{-g[0], -g[1], -g[2]}, {}});
  }
  // A block of body `above`, or what it is if that is the other itself.
  template <class Passes>
  void add_above(const Passes& passes, int above, int other, const Block6<T>& C) {
    if (above == kWorld) return;
    if (above != other) return add(above, other, C);
    add_to(passes.states[other].B, [&](std::size_t j, std::size_t k) { return C[k][j] + C[j][k]; });
  }
  // Past a follower (rotor.hpp): it moves as a rigid part of the parent and with its leader,
  // X p + c + S r s . (a - X' p - c') with a and s of the leader.
  template <class Passes>
  void divert(const Passes& passes, int i, const BodyData<T>& body) {
    const BodyData<T>& leader = passes.bodies[at(body.leader)];
    const Placement<T> X = place_of(passes, i, body), X_l = place_of(passes, body.leader, leader);
    const Spatial<T> start = start_of(passes, i, body, X);
    const Spatial<T> start_l = start_of(passes, body.leader, leader, X_l);
    const std::size_t own = free_axis(body), axis = free_axis(leader);
    for_blocks(i, [&](const Block& block) {
      Vec6<T> felt;
      Block6<T> above, beside;
      for (std::size_t column = 0; column < 6; ++column) {
        const Spatial<T> C = to_spatial(block.C[column]);
        beside[column] = {};
        beside[column][axis] = body.ratio * block.C[column][own];
        const Spatial<T> W = to_spatial(beside[column]);
        felt[column] = dot(C, start) - dot(W, start_l);
        above[column] = to_array(wrench_to_parent(X, C) - wrench_to_parent(X_l, W));
      }
      BodyState<T>& other = passes.states[block.other];
      other.f = other.f + to_spatial(felt);
      add_above(passes, body.parent, block.other, above);
      add_above(passes, body.leader, block.other, beside);
    });
  }

  static constexpr std::size_t free_axis(const BodyData<T>& body) {
    std::size_t axis = 0;
    while (!is_free(body, axis)) ++axis;
    return axis;
  }
  static constexpr bool is_free(const BodyData<T>& body, std::size_t axis) {
    return (free_mask(body.joint) >> axis & 1u) != 0;
  }
  static Vec6<T> diagonal(const Inertia6<T>& B) {
    return {B.A.xx, B.A.yy, B.A.zz, B.C.xx, B.C.yy, B.C.zz};
  }

  // What elimination left of a body: L below the diagonal and 1/D on it on FF, W on FN.
  struct Eliminated {
    template <class Passes>
    Eliminated(const Passes& passes, int i, const BodyData<T>& body) {
      const BodyState<T>& state = passes.states[i];
      unroll<6>([&](auto row) {
        unroll<6>([&](auto column) { B[at(row())][at(column())] = state.B(row, column); });
      });
      y = to_array(state.f);
      for (std::size_t axis = 0; axis < 6; ++axis) {
        if (is_free(body, axis)) free[count++] = axis;
      }
      for (std::size_t k = 0; k < count; ++k) {
        A[k] = passes.ask.added[at(body.v) + k];
        loaded = loaded || A[k] != T(0);
      }
      if (count != 1 || !body.geared) return;
      A[0] = A[0] + body.tied_inertia;
      H = to_array(state.tied())[free[0]];
      loaded = true;
    }

    // A wrench C on the body becomes U on F and G on N. Returns G, with what the joint's own
    // inertia lets through on F, and in `sum` U^T y.
    Vec6<T> hand_on(Vec6<T>& C, T& sum) const {
      std::array<T, 6> u{};
      sum = T(0);
      for (std::size_t k = 0; k < count; ++k) {
        u[k] = C[free[k]];
        for (std::size_t p = 0; p < k; ++p) u[k] = u[k] - B[free[k]][free[p]] * u[p];
        sum = sum + u[k] * y[free[k]];
      }
      for (std::size_t n = 0, k = 0; n < 6; ++n) {
        if (k < count && free[k] == n) {
          ++k;
          continue;
        }
        for (std::size_t f = 0; f < count; ++f) C[n] = C[n] - B[free[f]][n] * u[f];
      }
      Vec6<T> G = C;
      for (std::size_t f = 0; f < count; ++f) {
        C[free[f]] = u[f];
        G[free[f]] = loaded ? let_through(f, u) : T(0);
      }
      return G;
    }
    // A_f e_f^T L^-T D^-1 u; less what turns with the joint takes.
    T let_through(std::size_t f, const std::array<T, 6>& u) const {
      std::array<T, 6> l{};
      T sum(0);
      for (std::size_t k = f; k < count; ++k) {
        l[k] = k == f ? A[f] : T(0);
        for (std::size_t p = f; p < k; ++p) l[k] = l[k] - B[free[k]][free[p]] * l[p];
        sum = sum + (k == f ? l[k] - H : l[k]) * (u[k] * B[free[k]][free[k]]);
      }
      return sum;
    }
    // U_a^T D^-1 U_b
    T product(const Vec6<T>& U_a, const Vec6<T>& U_b) const {
      T sum(0);
      for (std::size_t k = 0; k < count; ++k) {
        sum = sum + U_a[free[k]] * (U_b[free[k]] * B[free[k]][free[k]]);
      }
      return sum;
    }

    Block6<T> B;
    Vec6<T> y, A{};
    T H = T(0);  // on F, of a joint of one coordinate (rotor.hpp)
    std::array<std::size_t, 6> free{};
    std::size_t count = 0;
    bool loaded = false;
  };

  // Upper entries alone.
  template <class F>
  static void add_to(Inertia6<T>& B, F&& entry) {
    unroll<6>([&](auto column) {
      unroll<column() + 1>(
          [&](auto row) { B(row, column) = B(row, column) + entry(at(row()), at(column())); });
    });
  }

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

  std::array<int, at(kBodies)> first_ = {};
  std::array<Block, at(kCapacity)> blocks_;
  int count_ = 0;
};

// Without room.
template <class T, int kBodies>
class OffDiagonal<T, kBodies, 0> {
 public:
  static constexpr int count() { return 0; }
  static constexpr void clear() {}
  static constexpr bool connect(int, int) { return false; }
  static constexpr bool fill_in(const auto&) { return true; }
  static constexpr void set_zero() {}
  static constexpr void add(int, int, const Block6<T>&) {}
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

#include "lockstep/restore_macros.hpp"
