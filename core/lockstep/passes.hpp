// Forward dynamics over a model, by null-space elimination: three passes over the bodies, from
// plain numbers to plain numbers. Solver puts the border around it; the host tool runs it with a
// scalar that records, to write a robot's own straight line of the same operations.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/body_data.hpp"
#include "lockstep/lanes.hpp"
#include "lockstep/nullspace.hpp"

namespace lockstep {

template <class T>
struct PassInput {
  const T *q, *v, *tau;      // with an added inertia tau has what springs do too
  const T* gravity;          // x y z
  const T* external;         // six a body, in link axes; or null
  const T* added = nullptr;  // on each joint's pivot (implicit.hpp), in the places of v; or null
};

template <class T>
struct PassOutput {
  T* vdot;
  T* reaction;  // six a body, in link axes
  T* lambda;
};

// What became of a question.
template <class T>
struct PassCheck {
  Truth<T> positive = true;  // all pivots; if not, the answer is without meaning
  Truth<T> finite = true;    // the answer
};

template <class T>
constexpr Spatial<T> link_to_body(const BodyData<T>& body, const T* wrench) {
  return {transpose_times(body.R_LB, Vec3<T>{wrench[0], wrench[1], wrench[2]}),
          transpose_times(body.R_LB, Vec3<T>{wrench[3], wrench[4], wrench[5]})};
}

// The wrench through a joint, for the user: all of it in link axes, its constrained components.
template <JointType kJoint, class T>
constexpr void write_reaction(const BodyData<T>& body, const Spatial<T>& f, T* reaction,
                              T* lambda) {
  const Vec3<T> force = body.R_LB * f.linear, moment = body.R_LB * f.angular;
  reaction[0] = force.x, reaction[1] = force.y, reaction[2] = force.z;
  reaction[3] = moment.x, reaction[4] = moment.y, reaction[5] = moment.z;
  for_constrained_axes<kJoint>([&](auto k, auto axis) { lambda[k()] = f[axis]; });
}

// The sum of a joint's accelerations and multipliers: not finite if one of them is not.
template <JointType kJoint, class T>
constexpr T sum_of_answer(const T* vdot, const Spatial<T>& f) {
  Spatial<T> answer = f;
  for_free_axes<kJoint>([&](auto k, auto axis) { answer[axis] = vdot[k()]; });
  const Vec3<T> half = answer.linear + answer.angular;
  return half.x + half.y + half.z;
}

// What a joint has on its pivot beside the bodies, if anything. kRotors, kSoft: whether the model
// may have rotors, and the question an added inertia.
template <JointType kJoint, bool kRotors, bool kSoft, class T, class F>
constexpr void with_load(const BodyData<T>& body, const T* added, F&& f) {
  constexpr int kSize = dof_count(kJoint);
  if constexpr (kSoft || (kRotors && kMayBeGeared<kJoint>)) {
    std::array<T, kSize> A{};
    bool loaded = false;
    if constexpr (kSoft) {
      for (int k = 0; k < kSize; ++k) {
        A[at(k)] = added[k];
        loaded = loaded || !is_exact_zero(added[k]);
      }
    }
    if constexpr (kRotors && kMayBeGeared<kJoint>) {
      A[0] = kSoft ? A[0] + body.tied_inertia : body.tied_inertia;
      loaded = loaded || body.geared;
    }
    if (loaded) return f(std::true_type{}, A.data());
  }
  f(std::false_type{}, static_cast<const T*>(nullptr));
}

// The three steps of one body, on the states of all bodies.
template <class T, bool kRotors = true, bool kSoft = false>
struct Passes {
  std::span<const BodyData<T>> bodies;
  const PassInput<T>& ask;
  BodyState<T>* states;
  const PassOutput<T>& answer;
  Truth<T> positive = true;
  T sum{};  // of all answers

  constexpr BodyState<T>* parent_of(const BodyData<T>& body) const {
    return body.parent == kWorld ? nullptr : states + body.parent;
  }
  // efforts until the third pass makes accelerations of them
  constexpr T* joint(const BodyData<T>& body) const { return answer.vdot + body.v; }

  template <JointType kJoint, class F>
  constexpr void with_load(const BodyData<T>& body, F&& f) const {
    lockstep::with_load<kJoint, kRotors, kSoft>(body, kSoft ? ask.added + body.v : nullptr, f);
  }

  template <JointType kJoint>
  constexpr void advance_body(int i, const BodyData<T>& body) {
    const T* v = ask.v + body.v;
    with_load<kJoint>(body, [&](auto loaded, const T*) {
      advance<kJoint, loaded()>(body, ask.q + body.q, v, parent_of(body), states[i]);
    });
    if (ask.external != nullptr) {
      states[i].f = states[i].f - link_to_body(body, ask.external + 6 * i);
    }
    unroll<dof_count(kJoint)>(
        [&](auto k) { joint(body)[k()] = ask.tau[body.v + k()] - body.damping * v[k()]; });
    if constexpr (!kSoft) add_spring<kJoint>(body, ask.q + body.q, joint(body));
  }
  template <JointType kJoint>
  constexpr void eliminate_body(int i, const BodyData<T>& body) {
    if constexpr (kRotors && kMayBeGeared<kJoint>) {
      if (body.leader != kNone) return eliminate_follower<kJoint>(i, body);
    }
    with_load<kJoint>(body, [&](auto loaded, const T* A) {
      positive &= eliminate<kJoint, loaded()>(body, joint(body), parent_of(body), states[i], A);
    });
  }
  template <JointType kJoint>
  constexpr void resolve_body(int i, const BodyData<T>& body) {
    accelerate_body<kJoint>(i, body);
    write<kJoint>(i, body);
  }
  // The third pass in two: what bodies and joints do, and telling it.
  template <JointType kJoint>
  constexpr void accelerate_body(int i, const BodyData<T>& body) {
    const Vec3<T> gravity = {ask.gravity[0], ask.gravity[1], ask.gravity[2]};
    if constexpr (kRotors && kMayBeGeared<kJoint>) {
      if (body.leader != kNone) {
        return resolve_follower<kJoint>(body, gravity, joint(leader_of(body))[0], parent_of(body),
                                        states[i], joint(body));
      }
    }
    with_load<kJoint>(body, [&](auto loaded, const T* A) {
      resolve<kJoint, loaded()>(body, gravity, parent_of(body), states[i], joint(body), A);
    });
  }
  template <JointType kJoint>
  constexpr void write(int i, const BodyData<T>& body) {
    sum = sum + sum_of_answer<kJoint>(joint(body), states[i].f);
    write_reaction<kJoint>(body, states[i].f, answer.reaction + 6 * i, answer.lambda + body.lambda);
  }

 private:
  constexpr const BodyData<T>& leader_of(const BodyData<T>& body) const {
    return bodies[static_cast<std::size_t>(body.leader)];
  }

  template <JointType kJoint>
  constexpr void eliminate_follower(int i, const BodyData<T>& body) {
    const BodyData<T>& leader = leader_of(body);
    dispatch(leader.joint, [&]<JointType kLeader>() {
      if constexpr (kMayBeGeared<kLeader>) {
        lockstep::eliminate_follower<kJoint, kLeader>(body, joint(body), leader, parent_of(body),
                                                      states[i], states[body.leader],
                                                      joint(leader));
      }
    });
  }
};

// kSoft: ask.added is there.
template <bool kSoft = false, class View, class T>
constexpr PassCheck<T> run_passes(const View& model, const PassInput<T>& ask, BodyState<T>* states,
                                  const PassOutput<T>& answer) {
  Passes<T, View::kHasRotors, kSoft> passes{model.bodies(), ask, states, answer};
  model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    passes.template advance_body<kJoint>(i, body);
  });
  model.forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    passes.template eliminate_body<kJoint>(i, body);
  });
  model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    passes.template resolve_body<kJoint>(i, body);
  });
  return {passes.positive, passes.sum - passes.sum == T(0)};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
