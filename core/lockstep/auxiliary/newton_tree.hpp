// A tree that is placed once and solved several times, each time with other loads: what Newton's
// method needs of it. A contact is a 6 x 6 block and a wrench on its body, a joint's row a number
// on its pivot and an effort. One solve is the second and third pass of forward dynamics.
#pragma once

#include <array>
#include <span>

#include "lockstep/auxiliary/factored_tree.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/rows/held.hpp"

namespace lockstep::auxiliary {

// The second and third pass, without writing reactions. False if a pivot is not positive.
template <class T, bool kRotors>
bool solve_loaded(std::span<const BodyData<T>> bodies, Passes<T, kRotors, true>& passes) {
  const int count = static_cast<int>(bodies.size());
  for (int i = count - 1; i >= 0; --i) {
    const BodyData<T>& body = bodies[at(i)];
    dispatch(body.joint,
             [&]<JointType kJoint>() { passes.template eliminate_body<kJoint>(i, body); });
  }
  for (int i = 0; i < count; ++i) {
    const BodyData<T>& body = bodies[at(i)];
    dispatch(body.joint,
             [&]<JointType kJoint>() { passes.template accelerate_body<kJoint>(i, body); });
  }
  return passes.positive;
}

template <class View, class T>
class NewtonTree {
 public:
  // The first pass: poses, twists, and what the bodies are without loads.
  void place(const View& model, const PassInput<T>& ask, const Implicit<T>& step) {
    set_added_inertia(model, step, damped_.data());
    gyration2_ = squared_gyration<T>(model.bodies());
    gravity_ = {ask.gravity[0], ask.gravity[1], ask.gravity[2]};
    PassInput<T> given = ask;
    given.added = damped_.data();
    const PassOutput<T> to = {effort_.data(), reaction_.data(), lambda_.data()};
    Moves passes{model.bodies(), given, states_.data(), to};
    const std::span<const BodyData<T>> bodies = model.bodies();
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
      const BodyData<T>& body = bodies[at(i)];
      dispatch(body.joint, [&]<JointType kJoint>() {
        passes.template advance_body<kJoint>(i, body);
        BodyState<T>& state = states_[at(i)];
        if constexpr (kMayBeGeared<kJoint>) {  // rows load joints that have no rotor
          if (!body.geared) state.set_tied({}), state.spin_moment() = {};
        }
        const Placement<T> X_PB = placement_of<kJoint>(body.X_PJ, state.pose);
        X_WB_[at(i)] = body.parent == kWorld ? X_PB : X_WB_[at(body.parent)] * X_PB;
        starts_[at(i)] = {state.V, state.f, state.tied()};
      });
    }
    add_springs(model, step, ask.q, ask.v, effort_.data());
  }

  const Placement<T>& pose(int body) const { return X_WB_[at(body)]; }
  const Placement<T>* poses() const { return X_WB_.data(); }
  const Spatial<T>& twist(int body) const { return starts_[at(body)].V; }
  // What free fall adds to accelerations, in the body's axes.
  Vec3<T> falling(int body) const { return transpose_times(X_WB_[at(body)].R, gravity_); }

  // Whether joints hold a wrench by themselves.
  bool is_held(const View& model, int body, Spatial<T> F) const {
    const T gyration2 = gyration2_;
    bool held = true;
    for (int i = body; held && i != kWorld;) {
      const BodyData<T>& own = model.bodies()[at(i)];
      dispatch(own.joint, [&]<JointType kJoint>() {
        const T sliding = dot(F.linear, F.linear);
        const T turning = dot(F.angular, F.angular) + gyration2 * sliding;
        for_free_axes<kJoint>([&](auto, auto axis) {
          held &= rows::is_held(T(F[axis] * F[axis]), axis() < 3 ? sliding : turning,
                                rows::kHeldByTree<T>);
        });
        F = to_parent<kJoint>(own.X_PJ, states_[at(i)].pose, F);
      });
      i = own.parent;
    }
    return held;
  }

  // Takes all loads off; then come loads, then solve.
  void unload(const View& model) {
    const std::span<const BodyData<T>> bodies = model.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyData<T>& body = bodies[i];
      states_[i].B = rigid_inertia(body.mass, body.h, body.I);
      states_[i].f = starts_[i].f;
      if constexpr (View::kHasRotors) {
        if (body.geared) states_[i].set_tied(starts_[i].tied);
      }
    }
    for (int i = 0; i < model.counts().v; ++i) {
      vdot_[at(i)] = effort_[at(i)];
      added_[at(i)] = damped_[at(i)];
    }
  }
  // A wrench load - block A on a body with the acceleration A.
  void load(int body, const Spatial<T>& wrench, const Inertia6<T>& block) {
    BodyState<T>& state = states_[at(body)];
    state.f = state.f - wrench;
    state.B = state.B + block;
  }
  // An effort load - slope vdot on a joint of one coordinate. A follower's slope is its leader's.
  void load(const View& model, const BodyData<T>& body, const T& effort, const T& slope) {
    vdot_[at(body.v)] = vdot_[at(body.v)] + effort;
    const bool follows = View::kHasRotors && body.leader != kNone;
    T& added = added_[at(follows ? model.bodies()[at(body.leader)].v : body.v)];
    added = added + (follows ? body.ratio * body.ratio * slope : slope);
  }

  bool solve(const View& model) {
    const std::array<T, 3> gravity = {gravity_.x, gravity_.y, gravity_.z};
    const PassOutput<T> to = output();
    PassInput<T> ask{};
    ask.gravity = gravity.data();
    ask.added = added_.data();
    Moves passes{model.bodies(), ask, states_.data(), to};
    return solve_loaded(model.bodies(), passes);
  }
  // After a solve: less the fall.
  const Spatial<T>& acceleration(int body) const { return states_[at(body)].V; }
  const T& vdot(int i) const { return vdot_[at(i)]; }

  // The reactions of the last solve. Not finite if one of the answers is not.
  T write(const View& model) {
    const PassOutput<T> to = output();
    const PassInput<T> ask{};
    Moves passes{model.bodies(), ask, states_.data(), to};
    const std::span<const BodyData<T>> bodies = model.bodies();
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
      dispatch(bodies[at(i)].joint,
               [&]<JointType kJoint>() { passes.template write<kJoint>(i, bodies[at(i)]); });
    }
    return passes.sum;
  }
  PassOutput<T> output() { return {vdot_.data(), reaction_.data(), lambda_.data()}; }

 private:
  using Moves = Passes<T, View::kHasRotors, true>;
  struct Start {
    Spatial<T> V, f, tied;
  };

  std::array<BodyState<T>, at(View::kMaxBodies)> states_;
  std::array<Start, at(View::kMaxBodies)> starts_;
  std::array<Placement<T>, at(View::kMaxBodies)> X_WB_;
  Vec3<T> gravity_{};
  T gyration2_{};
  std::array<T, at(View::kMaxDofs)> effort_, vdot_, damped_, added_;
  std::array<T, at(6 * View::kMaxBodies)> reaction_;
  std::array<T, at(View::kMaxMultipliers)> lambda_;
};

}  // namespace lockstep::auxiliary
