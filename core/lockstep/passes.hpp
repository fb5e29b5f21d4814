// Forward dynamics over a model, by null-space elimination: three passes over the bodies, from
// plain numbers to plain numbers. Solver puts the border around it; the host tool runs it with a
// scalar that records, to write a robot's own straight line of the same operations.
#pragma once

#include "lockstep/body_data.hpp"
#include "lockstep/nullspace.hpp"

namespace lockstep {

template <class T>
struct Question {
  const T *q, *v, *tau;
  const T* gravity;   // x y z
  const T* external;  // six a body, in link axes; or null
};

template <class T>
struct Answer {
  T* vdot;
  T* reaction;  // six a body, in link axes
  T* lambda;
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
  for_constrained_axes<kJoint>(
      [&](auto k, auto axis) { lambda[body.lambda + k()] = f.template at<axis()>(); });
}

// False if a pivot is not positive; the answer is then without meaning.
template <class View, class T>
constexpr bool run_passes(const View& model, const Question<T>& ask, BodyState<T>* states,
                          const Answer<T>& answer) {
  const auto parent_of = [&](const BodyData<T>& body) {
    return body.parent == kWorld ? nullptr : states + body.parent;
  };
  T* const joint = answer.vdot;  // efforts until the third pass makes accelerations of them

  model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    advance<kJoint>(body, ask.q + body.q, ask.v + body.v,
                    static_cast<const BodyState<T>*>(parent_of(body)), states[i]);
    if (ask.external != nullptr) {
      states[i].f = states[i].f - link_to_body(body, ask.external + 6 * i);
    }
    for (int k = body.v; k < body.v + dof_count(kJoint); ++k) {
      joint[k] = ask.tau[k] - body.damping * ask.v[k];
    }
  });

  bool positive = true;
  model.forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    positive &= eliminate<kJoint>(body, joint + body.v, parent_of(body), states[i]);
  });

  const Vec3<T> gravity = {ask.gravity[0], ask.gravity[1], ask.gravity[2]};
  model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    resolve<kJoint>(body, gravity, static_cast<const BodyState<T>*>(parent_of(body)), states[i],
                    joint + body.v);
    write_reaction<kJoint>(body, states[i].f, answer.reaction + 6 * i, answer.lambda);
  });
  return positive;
}

}  // namespace lockstep
