// A tree between its factorization and its last back-solve: it answers what wrenches on its bodies
// would do, at the cost of their paths to the root.
// With H = (1 - ...)^T D (1 - ...) after null-space elimination, a row's forward sweep leaves
// u = L^-1 (tau + F_F) at every joint on its way, and the response of row i to row j is the sum of
// u_i D^-1 u_j over the joints they share (Baraff 1996, acknowledgements: no back-solve).
// Where the sweep hands on G, the row's acceleration without auxiliary forces is the sum of
// u y + G . c, and G . (-g) at the world.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>

#include "lockstep/auxiliary/off_diagonal.hpp"
#include "lockstep/auxiliary/row.hpp"
#include "lockstep/passes.hpp"

namespace lockstep::auxiliary {

// m^2: the mean square of a robot's lengths, to weigh forces against moments.
template <class T>
constexpr T squared_gyration(std::span<const BodyData<T>> bodies) {
  T mass(0), moment(0);
  for (const BodyData<T>& body : bodies) {
    const T own = body.inertia.xx + body.inertia.yy + body.inertia.zz;
    mass = mass + body.mass;
    moment = moment + own + body.mass * dot(body.X_PJ.p, body.X_PJ.p);
  }
  return mass > T(0) ? T(moment / mass) : T(0);
}

// What one forward sweep leaves.
template <class View, class T>
struct Response {
  int count = 0;                                 // of the bodies it came by,
  std::array<int, at(View::kMaxBodies)> bodies;  // children first
  std::array<T, at(View::kMaxDofs)> u;           // in the places of v; on those only
  T free_motion{};  // the row's acceleration without auxiliary forces, but for its bias
  T own{};          // its response to itself
  T scale{};        // the same if no direction were held; tells rounding from motion
};

// A body in the world. The twist is at its origin, in its own axes.
template <class T>
struct BodyMotion {
  Placement<T> X_WB;
  Spatial<T> V;
};

// kSoft: whether joints may have something added on their pivots. kBlocks: between bodies, at most.
template <class View, class T, bool kSoft = View::kIsSoft, int kBlocks = 0>
class FactoredTree {
 public:
  // The first two passes. False if a pivot is not positive. `has_springs`: the efforts given.
  bool factor(const View& model, const PassInput<T>& given, const T& gyration2,
              const Implicit<T>& step = {}, bool has_springs = false) {
    const PassOutput<T> to = answer();
    PassInput<T> ask = given;
    if constexpr (kSoft) {
      set_added_inertia(model, step, added_.data());
      ask.added = added_.data();
    }
    Passes<T, View::kHasRotors, kSoft> passes{model.bodies(), ask, states_.data(), to};
    gravity_ = {ask.gravity[0], ask.gravity[1], ask.gravity[2]};
    gyration2_ = gyration2;
    blocks_.clear();
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      passes.template advance_body<kJoint>(i, body);
      const Placement<T> X_PB = placement_of<kJoint>(body.X_PJ, state_of(i).pose);
      const bool on_world = body.parent == kWorld;
      X_WB_[at(i)] = on_world ? X_PB : X_WB_[at(body.parent)] * X_PB;
      loads_[at(i)] = {};
    });
    if constexpr (kSoft) {
      if (!has_springs) add_springs(model, step, ask.q, ask.v, vdot_.data());
    }
    model.forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      passes.template eliminate_body<kJoint>(i, body);
    });
    return passes.positive;
  }

  BodyMotion<T> motion(int body) const {
    if (body == kWorld) return {identity<T>(), {}};
    return {X_WB_[at(body)], states_[at(body)].V};
  }

  // The forward sweep of a row's motion or force, along the paths of its terms.
  template <int kMaxTerms>
  void respond(const View& model, const Row<T>& row, Side side, Response<View, T>& response) {
    response.count = 0;
    response.free_motion = response.scale = T(0);
    std::array<int, at(kMaxTerms)> ends;
    std::size_t count = 0;
    for (const Term<T>& term : row.terms) {
      if (term.body == kWorld || !is_of(term, side)) continue;
      if (!term.joint) {  // accelerations within are without gravity
        const Vec3<T> pull = transpose_times(X_WB_[at(term.body)].R, gravity_);
        response.free_motion = response.free_motion + dot(term.value.linear, pull);
      }
      load(term, T(1));
      ends[count++] = term.body;
    }
    if (blocks_.count() > 0) {  // which lead away from the paths
      for (int i = model.body_count() - 1; i >= 0; --i) {
        if (loads_[at(i)].touched) sweep_body(model, i, response);
      }
      return;
    }
    for (;;) {  // the body with the largest number has no other of the paths below it
      int next = kWorld;
      for (std::size_t i = 0; i < count; ++i) next = ends[i] > next ? ends[i] : next;
      if (next == kWorld) break;
      const BodyData<T>& body = model.bodies()[at(next)];
      // a follower's way leads by its leader, whose parent is its own
      const int above = is_follower(body) ? body.leader : body.parent;
      for (std::size_t i = 0; i < count; ++i) ends[i] = ends[i] == next ? above : ends[i];
      sweep_body(model, next, response);
    }
  }

  // u_i D^-1 u_j over the joints of both.
  T shared(const View& model, const Response<View, T>& a, const Response<View, T>& b) const {
    T sum(0);
    for (int i = 0, j = 0; i < a.count && j < b.count;) {
      const int body = a.bodies[at(i)], other = b.bodies[at(j)];
      i += body >= other ? 1 : 0;
      j += other >= body ? 1 : 0;
      if (body != other) continue;
      const BodyData<T>& data = model.bodies()[at(body)];
      dispatch(data.joint, [&]<JointType kJoint>() {
        for_free_axes<kJoint>([&](auto k, auto axis) {
          const std::size_t place = at(data.v + k());
          const T& reciprocal = states_[at(body)].B(axis, axis);
          sum = sum + a.u[place] * reciprocal * b.u[place];
        });
      });
    }
    return sum;
  }

  // Puts mu K of a row on its bodies and joints.
  void push(const View& model, const Row<T>& row, const T& mu) {
    for (const Term<T>& term : row.terms) {
      if (term.body == kWorld || !is_of(term, Side::kForce)) continue;
      load(term, mu);
      if (!term.joint) continue;
      const BodyData<T>& body = model.bodies()[at(term.body)];
      dispatch(body.joint, [&]<JointType kJoint>() {
        for_free_axes<kJoint>([&](auto k, auto axis) {
          T& effort = vdot_[at(body.v + k())];
          effort = effort + mu * term.value[axis];
        });
      });
    }
  }

  // The forward sweep of all that was pushed.
  void hand_on(const View& model) {
    for (int i = model.body_count() - 1; i >= 0; --i) {
      if (!loads_[at(i)].touched) continue;
      const BodyData<T>& body = model.bodies()[at(i)];
      dispatch(body.joint, [&]<JointType kJoint>() {
        is_follower(body) ? load_follower<kJoint>(model, i) : add_to_right_side<kJoint>(i, body);
      });
    }
  }
  // The same, and the third pass.
  bool resolve(const View& model) {
    hand_on(model);
    const std::array<T, 3> gravity = {gravity_.x, gravity_.y, gravity_.z};
    PassInput<T> ask{};
    ask.gravity = gravity.data();
    if constexpr (kSoft) ask.added = added_.data();
    const PassOutput<T> to = answer();
    Passes<T, View::kHasRotors, kSoft> passes{model.bodies(), ask, states_.data(), to};
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      passes.template resolve_body<kJoint>(i, body);
    });
    return is_finite(passes.sum);
  }

  // Puts mu K of a row on its bodies and joints as an impulse, for `change`.
  void strike(const Row<T>& row, const T& mu) {
    for (const Term<T>& term : row.terms) {
      if (term.body != kWorld && is_of(term, Side::kForce)) load(term, mu);
    }
  }

  // The velocities that impulses cause, and nothing else: M^-1 K mu. Spoils the bodies' motions.
  bool change(const View& model, T* dv) {
    T sum(0);
    for (int i = model.body_count() - 1; i >= 0; --i) {
      const BodyData<T>& body = model.bodies()[at(i)];
      dispatch(body.joint, [&]<JointType kJoint>() {
        is_follower(body) ? (void)divert<kJoint>(model, i) : gather<kJoint>(i, body, dv + body.v);
      });
    }
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      if (is_follower(body)) {
        dv[body.v] = body.ratio * dv[model.bodies()[at(body.leader)].v];
      } else {
        spread<kJoint>(i, body, dv + body.v);
      }
      for (int k = 0; k < dof_count(kJoint); ++k) sum = sum + dv[body.v + k];
    });
    return is_finite(sum);
  }

  PassOutput<T> answer() { return {vdot_.data(), reaction_.data(), lambda_.data()}; }

 protected:
  struct Load {
    Spatial<T> F{}, tau{};  // tau on the joint's free axes
    bool touched = false;
  };

  static bool is_of(const Term<T>& term, Side side) {
    return term.side == Side::kBoth || term.side == side;
  }

  void load(const Term<T>& term, const T& factor) {
    Load& load = loads_[at(term.body)];
    Spatial<T>& sum = term.joint ? load.tau : load.F;
    sum = sum + Spatial<T>{factor * term.value.linear, factor * term.value.angular};
    load.touched = true;
  }

  template <JointType kJoint, class F>
  void with_load(const BodyData<T>& body, F&& f) const {
    lockstep::with_load<kJoint, View::kHasRotors, kSoft>(
        body, kSoft ? added_.data() + body.v : nullptr, f);
  }

  // Past one joint: u = L^-1 (tau + F_F); returns what goes on: F_N - W^T u, and -tau on F, where
  // rotors add (e/D) u, and softness -W_F^T u.
  template <JointType kJoint>
  Spatial<T> pass(int i, const BodyData<T>& body, std::array<T, dof_count(kJoint)>& u) {
    Load& load = loads_[at(i)];
    const Inertia6<T>& B = state_of(i).B;
    Spatial<T> G{};
    for_free_axes<kJoint>([&](auto k, auto axis) {
      u[k()] = load.tau[axis] + load.F[axis];
      G[axis] = -load.tau[axis];
    });
    solve_lower<kJoint>(B, u);
    for_constrained_axes<kJoint>([&](auto, auto n) {
      T& sum = G[n];
      sum = load.F[n];
      for_free_axes<kJoint>([&](auto k, auto axis) { sum = sum - B(axis, n) * u[k()]; });
    });
    if constexpr (kBlocks > 0) {
      Spatial<T> y{};
      for_free_axes<kJoint>([&](auto k, auto axis) { y[axis] = u[k()] * B(axis, axis); });
      blocks_.hand_on(i, body, y, [&](int other, const Spatial<T>& F) {
        loads_[at(other)].F = loads_[at(other)].F + F;
        loads_[at(other)].touched = true;
      });
    }
    with_load<kJoint>(body, [&](auto loaded, const T* A) {
      if constexpr (loaded() && kMayBeGeared<kJoint>) {
        T& effort = G.template at<JointAxes<kJoint>::kFree[0]>();
        effort = effort + rotor_lead<kJoint>(A[0], state_of(i), u[0]);
      } else if constexpr (loaded()) {
        const auto share = soft_share<kJoint>(B, A, u);
        for_free_axes<kJoint>([&](auto k, auto axis) { G[axis] = G[axis] - share[k()]; });
      }
    });
    load = {};
    return G;
  }

  static bool is_follower(const BodyData<T>& body) {
    return View::kHasRotors && body.leader != kNone;
  }

  // Past a follower (rotor.hpp): F acts on the parent as on a rigid part, and what F and tau do
  // along the joint is an effort of the leader's.
  struct Diverted {
    Spatial<T> F, above;
    T effort;
  };
  template <JointType kJoint>
  Diverted divert(const View& model, int i) {
    const BodyData<T>& body = model.bodies()[at(i)];
    Load& own = loads_[at(i)];
    Diverted way = {own.F, to_parent<kJoint>(body.X_PJ, state_of(i).pose, own.F), T(0)};
    constexpr int kF = JointAxes<kJoint>::kFree[0];
    way.effort = body.ratio * (own.tau.template at<kF>() + own.F.template at<kF>());
    own = {};
    Load& leader = loads_[at(body.leader)];
    leader.touched = true;
    dispatch(model.bodies()[at(body.leader)].joint, [&]<JointType kLeader>() {
      T& effort = leader.tau.template at<JointAxes<kLeader>::kFree[0]>();
      effort = effort + way.effort;
    });
    if (body.parent != kWorld) {
      Load& parent = loads_[at(body.parent)];
      parent.F = parent.F + way.above;
      parent.touched = true;
    }
    return way;
  }
  template <JointType kJoint>
  void sweep_follower(const View& model, int i, Response<View, T>& response) {
    const auto [F, above, effort] = divert<kJoint>(model, i);
    T& motion = response.free_motion;
    motion = motion + dot(F, state_of(i).c);
    if (model.bodies()[at(i)].parent == kWorld) motion = motion - dot(above.linear, gravity_);
  }
  template <JointType kJoint>
  void load_follower(const View& model, int i) {
    const auto [F, above, effort] = divert<kJoint>(model, i);
    const BodyData<T>& body = model.bodies()[at(i)];
    state_of(i).f = state_of(i).f - F;
    T& leader = vdot_[at(model.bodies()[at(body.leader)].v)];
    leader = leader + effort;
  }

  void sweep_body(const View& model, int i, Response<View, T>& response) {
    const BodyData<T>& body = model.bodies()[at(i)];
    dispatch(body.joint, [&]<JointType kJoint>() {
      is_follower(body) ? sweep_follower<kJoint>(model, i, response)
                        : sweep<kJoint>(i, body, response);
    });
  }
  template <JointType kJoint>
  void sweep(int i, const BodyData<T>& body, Response<View, T>& response) {
    response.bodies[at(response.count++)] = i;
    const BodyState<T>& state = state_of(i);
    const Spatial<T> F = loads_[at(i)].F, tau = loads_[at(i)].tau;
    const T turning = dot(F.angular, F.angular) + gyration2_ * dot(F.linear, F.linear);
    const T sliding = dot(F.linear, F.linear);
    std::array<T, dof_count(kJoint)> u;
    const Spatial<T> G = pass<kJoint>(i, body, u);
    T& motion = response.free_motion;
    for_free_axes<kJoint>([&](auto k, auto axis) {
      response.u[at(body.v + k())] = u[k()];
      motion = motion + u[k()] * state.f[axis];
      const T& effort = tau[axis];
      const T held = (axis() < 3 ? sliding : turning) + effort * effort;
      response.scale = response.scale + held * state.B(axis, axis);
    });
    motion = motion + dot(G, state.c);
    const Spatial<T> above = to_parent<kJoint>(body.X_PJ, state.pose, G);
    if (body.parent == kWorld) {
      motion = motion - dot(above.linear, gravity_);
    } else {
      Load& parent = loads_[at(body.parent)];
      parent.F = parent.F + above;
      parent.touched = true;
    }
  }

  template <JointType kJoint>
  void add_to_right_side(int i, const BodyData<T>& body) {
    BodyState<T>& state = state_of(i);
    std::array<T, dof_count(kJoint)> u;
    const Spatial<T> G = pass<kJoint>(i, body, u);
    for_free_axes<kJoint>([&](auto k, auto axis) {
      T& y = state.f[axis];
      y = y + u[k()] * state.B(axis, axis);
    });
    for_constrained_axes<kJoint>([&](auto, auto n) {
      T& wrench = state.f[n];
      wrench = wrench - G[n];
    });
    if (body.parent == kWorld) return;
    Load& parent = loads_[at(body.parent)];
    parent.F = parent.F + to_parent<kJoint>(body.X_PJ, state.pose, G);
    parent.touched = true;
  }

  // y = D^-1 u of the impulses below; hands on the rest.
  template <JointType kJoint>
  void gather(int i, const BodyData<T>& body, T* y) {
    if (!loads_[at(i)].touched) {
      for (int k = 0; k < dof_count(kJoint); ++k) y[k] = T(0);
      return;
    }
    std::array<T, dof_count(kJoint)> u;
    const Spatial<T> G = pass<kJoint>(i, body, u);
    for_free_axes<kJoint>([&](auto k, auto axis) { y[k()] = u[k()] * state_of(i).B(axis, axis); });
    if (body.parent == kWorld) return;
    Load& parent = loads_[at(body.parent)];
    parent.F = parent.F + to_parent<kJoint>(body.X_PJ, state_of(i).pose, G);
    parent.touched = true;
  }

  // L^-T (y - W a_N), less what the parent brings.
  template <JointType kJoint>
  void spread(int i, const BodyData<T>& body, T* y) {
    constexpr int kSize = dof_count(kJoint);
    constexpr auto& kF = JointAxes<kJoint>::kFree;
    BodyState<T>& state = state_of(i);
    const Inertia6<T>& B = state.B;
    const bool on_world = body.parent == kWorld;
    Spatial<T> a =
        to_child<kJoint>(body.X_PJ, state.pose, on_world ? Spatial<T>{} : state_of(body.parent).V);
    for_free_axes<kJoint>([&](auto k, auto axis) {
      for_constrained_axes<kJoint>([&](auto, auto n) { y[k()] = y[k()] - B(axis, n) * a[n]; });
    });
    with_load<kJoint>(body, [&](auto loaded, const T* A) {
      if constexpr (loaded() && kMayBeGeared<kJoint>) {
        y[0] = y[0] + rotor_lead<kJoint>(A[0], state, a.template at<kF[0]>());
      } else if constexpr (loaded()) {
        const auto lead = soft_lead<kJoint>(B, A, a);
        for_free_axes<kJoint>(
            [&](auto k, auto axis) { y[k()] = y[k()] - lead[k()] * B(axis, axis); });
      }
    });
    unroll<kSize>([&](auto reversed) {
      constexpr int kI = kSize - 1 - reversed();
      unroll<reversed()>([&](auto offset) {
        constexpr int kP = kI + 1 + offset();
        y[kI] = y[kI] - B.template at<kF[kP], kF[kI]>() * y[kP];
      });
    });
    for_free_axes<kJoint>([&](auto k, auto axis) {
      const T x = y[k()];
      y[k()] = x - a[axis];
      a[axis] = x;
    });
    state.V = a;
  }

  BodyState<T>& state_of(int i) { return states_[at(i)]; }

  Vec3<T> gravity_{};
  T gyration2_{};
  std::array<BodyState<T>, at(View::kMaxBodies)> states_;
  std::array<Placement<T>, at(View::kMaxBodies)> X_WB_;
  std::array<Load, at(View::kMaxBodies)> loads_;  // zero between sweeps
  std::array<T, at(View::kMaxDofs)> vdot_;        // efforts until the third pass
  std::array<T, at(kSoft ? View::kMaxDofs : 0)> added_;
  std::array<T, at(6 * View::kMaxBodies)> reaction_;
  std::array<T, at(View::kMaxMultipliers)> lambda_;
  [[no_unique_address]] OffDiagonal<T, View::kMaxBodies, kBlocks> blocks_;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
