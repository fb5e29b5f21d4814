// A tree that is placed once and solved several times, each time with other loads: what Newton's
// method needs of it. A contact is a 6 x 6 block and a wrench on its body, one between two bodies a
// block between them too (off_diagonal.hpp); a joint's row is a number on its pivot and an effort.
// One solve is the second and third pass of forward dynamics; a robot that brings both as a
// straight line (newton_line.hpp) goes by it while no two of its bodies touch.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <span>

#include "lockstep/auxiliary/factored_tree.hpp"
#include "lockstep/auxiliary/off_diagonal.hpp"
#include "lockstep/newton_line.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/rows/held.hpp"

namespace lockstep::auxiliary {

// What a robot's own line is made of: nothing, where it has none.
template <class View, class T>
struct NewtonLineOf {
  static constexpr bool kExists = false;
};
template <class View, class T>
requires StraightNewtonModel<typename View::Emitted, T>
struct NewtonLineOf<View, T> {
  using Model = typename View::Emitted;
  static constexpr bool kExists = true;
  static constexpr auto kTouched = [] {
    std::array<bool, at(View::kMaxBodies)> touched{};
    for (const auto& collider : Model::kColliders) {
      // by loops where a follower is touched: its leader's pivot has a share
      const bool follows =
          collider.body != kWorld && View::bodies()[at(collider.body)].leader != kNone;
      if (collider.body != kWorld && !follows) touched[at(collider.body)] = true;
    }
    return touched;
  }();

  void place(const PassInput<T>& ask, const NewtonPlace<T>& to) {
    if constexpr (kLimbsInLanes<T> && StraightLimbsNewtonModel<Model, T>)
      Model::template straight_limbs_place<T>(ask, to, limbs_);
    else
      Model::template straight_place<T>(ask, to, kept_);
  }
  bool solve(const NewtonSolve<T>& to) const {
    if constexpr (kLimbsInLanes<T> && StraightLimbsNewtonModel<Model, T>)
      return Model::template straight_limbs_solve<T>(limbs_, to);
    else
      return Model::template straight_solve<T>(kept_, to);
  }

 private:
  // the same in every object of a program, whatever its registers
  static constexpr auto kept_in_lanes() {
    if constexpr (kLimbsHaveRoom<T> && StraightLimbsNewtonModel<Model, T>)
      return NewtonKept<T, Model::kNewtonKeptBeside, Model::kNewtonKeptWide>{};
    else
      return NewtonKept<T, 0, 0>{};
  }
  NewtonKept<T, Model::kNewtonKept, 0> kept_;
  [[no_unique_address]] decltype(kept_in_lanes()) limbs_;
};

// kBlocks: between bodies, at most, with fill-in.
template <class View, class T, int kBlocks = 0>
class NewtonTree : public FactoredTree<View, T, true, kBlocks> {
 public:
  // The first pass: poses, twists, and what the bodies are without loads. `by_loops`: rows on any
  // bodies will come.
  void place(const View& model, const PassInput<T>& ask, const Implicit<T>& step,
             bool by_loops = false) {
    blocks_.clear();
    set_added_inertia(model, step, damped_.data());
    ask_ = ask;
    step_ = step;
    if constexpr (View::kIsStatic) {
      static constexpr T kGyration2 = squared_gyration<T>(View::bodies());
      gyration2_ = kGyration2;
    } else {
      gyration2_ = squared_gyration<T>(model.bodies());
    }
    gravity_ = {ask.gravity[0], ask.gravity[1], ask.gravity[2]};
    if constexpr (Line::kExists) {
      by_line_ = ask.external == nullptr && !by_loops;
      if (by_line_) {
        line_.place(ask, {X_WB_.data(), starts_.data(), effort_.data()});
        return add_springs(model, step, ask.q, ask.v, effort_.data());
      }
    }
    place_bodies(model);
  }
  // Loads will come on this body: what no line is prepared for goes by loops.
  void expect(const View& model, int body) {
    if constexpr (Line::kExists) {
      if (by_line_ && !Line::kTouched[at(body)]) place_bodies(model);
    }
  }

  const Placement<T>& pose(int body) const { return X_WB_[at(body)]; }
  const Placement<T>* poses() const { return X_WB_.data(); }
  const Spatial<T>& twist(int body) const { return starts_[at(body)].V; }
  // What free fall adds to accelerations, in the body's axes.
  Vec3<T> falling(int body) const { return transpose_times(X_WB_[at(body)].R, gravity_); }

  // Whether joints hold a force at a point between two bodies, or a body and the world, by
  // themselves. All in the world.
  bool is_held(const View& model, int a, int b, const Vec3<T>& point, const Vec3<T>& force) const {
    bool held = true;
    while (held && a != b) {
      int& i = a > b ? a : b;
      const Placement<T>& X = X_WB_[at(i)];
      const Spatial<T> F = {transpose_times(X.R, force),
                            transpose_times(X.R, cross(point - X.p, force))};
      const T sliding = dot(F.linear, F.linear);
      const T turning = dot(F.angular, F.angular) + gyration2_ * sliding;
      dispatch(model.bodies()[at(i)].joint, [&]<JointType kJoint>() {
        for_free_axes<kJoint>([&](auto, auto axis) {
          held &= rows::is_held(T(F[axis] * F[axis]), axis() < 3 ? sliding : turning,
                                rows::kHeldByTree<T>);
        });
      });
      i = model.bodies()[at(i)].parent;
    }
    return held;
  }

  // Blocks will come between these bodies; after the last pair, room for what elimination adds.
  // False if there is no room.
  bool connect(int a, int b) { return blocks_.connect(a, b); }
  bool fill_in(const View& model) {
    if constexpr (Line::kExists && kBlocks > 0) {
      if (by_line_ && blocks_.count() > 0) place_bodies(model);
    }
    return blocks_.fill_in(model.bodies());
  }

  // Takes all loads off; then come loads, then solve.
  void unload(const View& model) {
    const std::span<const BodyData<T>> bodies = model.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if constexpr (Line::kExists) {
        if (by_line_ && !Line::kTouched[i]) continue;
      }
      const BodyData<T>& body = bodies[i];
      states_[i].B = rigid_inertia(body.mass, body.h, body.inertia);
      states_[i].f = starts_[i].f;
      if constexpr (View::kHasRotors) {
        if (body.geared && !by_line_) states_[i].set_tied(tied_[i]);
      }
    }
    for (int i = 0; i < model.counts().v; ++i) {
      loaded_[at(i)] = effort_[at(i)];
      added_[at(i)] = damped_[at(i)];
    }
    blocks_.set_zero();
  }
  // A wrench load - block A on a body with the acceleration A.
  void load(int body, const Spatial<T>& wrench, const Inertia6<T>& block) {
    BodyState<T>& state = states_[at(body)];
    state.f = state.f - wrench;
    state.B = state.B + block;
  }
  // What body a feels of b's acceleration, and b of a's.
  void load(int a, int b, const Block6<T>& block) { blocks_.add(a, b, block); }
  // An effort load - slope vdot on a joint of one coordinate. A follower's slope is its leader's.
  void load(const View& model, const BodyData<T>& body, const T& effort, const T& slope) {
    loaded_[at(body.v)] = loaded_[at(body.v)] + effort;
    const bool follows = View::kHasRotors && body.leader != kNone;
    T& added = added_[at(follows ? model.bodies()[at(body.leader)].v : body.v)];
    added = added + (follows ? body.ratio * body.ratio * slope : slope);
  }

  // The second and third pass, without writing reactions. False if a pivot is not positive.
  bool solve(const View& model) {
    if constexpr (Line::kExists) {
      if (by_line_) {
        return line_.solve({states_.data(), loaded_.data(), added_.data(), vdot_.data()});
      }
    }
    const bool positive = eliminate(model);
    accelerate(model);
    return positive;
  }
  // The same in two halves, by loops: rows that couple bodies come in between.
  bool eliminate(const View& model) {
    for (int i = 0; i < model.counts().v; ++i) vdot_[at(i)] = loaded_[at(i)];
    return with_passes(model, [&](auto& passes) {
      const std::span<const BodyData<T>> bodies = model.bodies();
      for (int i = static_cast<int>(bodies.size()) - 1; i >= 0; --i) {
        const BodyData<T>& body = bodies[at(i)];
        if (this->is_follower(body)) lead(model, i, body);
        dispatch(body.joint,
                 [&]<JointType kJoint>() { passes.template eliminate_body<kJoint>(i, body); });
        if constexpr (kBlocks > 0) blocks_.eliminate(passes, i, body);
      }
      return passes.positive;
    });
  }
  void accelerate(const View& model) {
    with_passes(model, [&](auto& passes) {
      const std::span<const BodyData<T>> bodies = model.bodies();
      for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
        const BodyData<T>& body = bodies[at(i)];
        if constexpr (kBlocks > 0) blocks_.resolve(passes.states, i, body);
        dispatch(body.joint,
                 [&]<JointType kJoint>() { passes.template accelerate_body<kJoint>(i, body); });
        if (this->is_follower(body)) {
          BodyState<T>& state = states_[at(i)];
          state.f = state.f + times(blocks_on(i, body), state.V - state.c);
        }
      }
    });
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
  PassOutput<T> output() { return this->answer(); }

 private:
  using Base = FactoredTree<View, T, true, kBlocks>;
  using Base::added_, Base::blocks_, Base::gravity_, Base::gyration2_, Base::lambda_;
  using Base::reaction_, Base::states_, Base::vdot_, Base::X_WB_;
  using Moves = Passes<T, View::kHasRotors, true>;
  using Line = NewtonLineOf<View, T>;

  template <class F>
  auto with_passes(const View& model, F&& f) {
    const std::array<T, 3> gravity = {gravity_.x, gravity_.y, gravity_.z};
    const PassOutput<T> to = output();
    PassInput<T> ask{};
    ask.gravity = gravity.data();
    ask.added = added_.data();
    Moves passes{model.bodies(), ask, states_.data(), to};
    return f(passes);
  }

  static Spatial<T> times(const Inertia6<T>& B, const Spatial<T>& a) {
    return {B.A * a.linear + B.G * a.angular, transpose_times(B.G, a.linear) + B.C * a.angular};
  }
  // The blocks on a body.
  Inertia6<T> blocks_on(int i, const BodyData<T>& body) const {
    const Sym3<T>& I_B = body.inertia;
    return states_[at(i)].B + rigid_inertia(-body.mass, -body.h,
                                            {-I_B.xx, -I_B.xy, -I_B.xz, -I_B.yy, -I_B.yz, -I_B.zz});
  }
  // Before a follower goes along with its leader, as a rigid part that it is without blocks.
  void lead(const View& model, int i, const BodyData<T>& body) {
    const Inertia6<T> block = blocks_on(i, body);
    states_[at(i)].f = states_[at(i)].f + times(block, states_[at(i)].c);
    T& added = added_[at(model.bodies()[at(body.leader)].v)];
    dispatch(body.joint, [&]<JointType kJoint>() {
      constexpr int kF = JointAxes<kJoint>::kFree[0];
      added = added + body.ratio * body.ratio * block.template at<kF, kF>();
    });
  }

  void place_bodies(const View& model) {
    by_line_ = false;
    PassInput<T> given = ask_;
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
        this->loads_[at(i)] = {};
        starts_[at(i)] = {state.V, state.f};
        tied_[at(i)] = state.tied();
      });
    }
    add_springs(model, step_, ask_.q, ask_.v, effort_.data());
  }

  std::array<NewtonStart<T>, at(View::kMaxBodies)> starts_;
  std::array<Spatial<T>, at(View::kMaxBodies)> tied_;
  PassInput<T> ask_{};
  Implicit<T> step_{};
  bool by_line_ = false;
  [[no_unique_address]] Line line_;
  // efforts and what is added on pivots without rows; efforts with them
  std::array<T, at(View::kMaxDofs)> effort_, damped_, loaded_;
};

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
