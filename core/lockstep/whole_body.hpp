// A robot as a whole: mass, centre of mass, momentum, kinetic energy, by two passes over the
// bodies. Momenta are added up in body frames, children first, and at last about the first root's
// origin: far from the world's origin no digits are lost. What is fixed to the world is no part of
// it.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/body_data.hpp"
#include "lockstep/joint.hpp"

namespace lockstep {

// A body and, after the second pass, all that it carries.
template <class T>
struct Carried {
  Mat3<T> R_WB;
  Placement<T> X_PB;
  Spatial<T> V;  // of the body
  T mass;
  Vec3<T> h;            // mass times centre of mass, in B
  Spatial<T> momentum;  // in B, about its origin

  // Moves them to a frame that X places B in.
  constexpr void hand_on(const Placement<T>& X, Carried& to) const {
    to.mass = to.mass + mass;
    to.h = to.h + (X.R * h + mass * X.p);
    to.momentum = to.momentum + wrench_to_parent(X, momentum);
  }
};

// In world axes.
template <class T>
struct WholeBody {
  T mass{};
  Vec3<T> centre;
  Spatial<T> momentum;  // the angular part about the centre
  T kinetic{};
};

// v may be null: a robot at rest. `carried` has room for all bodies.
template <class View, class T>
WholeBody<T> whole_body(const View& model, const T* q, const T* v, Carried<T>* carried) {
  Carried<T> world{};
  Vec3<T> origin{};  // of the first root
  T kinetic{};
  model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
    Carried<T>& own = carried[i];
    Carried<T>& parent = body.parent == kWorld ? world : carried[body.parent];
    own.X_PB = place_body<kJoint>(body.X_PJ, q + body.q);
    own.R_WB = body.parent == kWorld ? own.X_PB.R : parent.R_WB * own.X_PB.R;
    if (i == 0) origin = own.X_PB.p;
    own.mass = body.mass;
    own.h = body.h;
    own.V = own.momentum = {};
    if (v == nullptr) return;
    own.V = twist_to_child(own.X_PB, parent.V);
    add_joint_motion<kJoint>(own.V, v + body.v);
    own.momentum = rigid_momentum(body.mass, body.h, body.inertia, own.V);
    kinetic = kinetic + T(0.5) * (dot(own.V.linear, own.momentum.linear) +
                                  dot(own.V.angular, own.momentum.angular));
    if constexpr (View::kHasRotors && dof_count(kJoint) == 1) {
      if (!body.geared) return;
      // lockstep/rotor.hpp: the energy is qd h . w_P + A qd^2 / 2
      const T rate = v[body.v];
      const Vec3<T> spin = (body.X_PJ.R * body.spin) * rate;
      parent.momentum.angular = parent.momentum.angular + spin;
      kinetic = kinetic + (T(0.5) * (body.armature * rate) * rate + dot(spin, parent.V.angular));
    }
  });
  model.forward([&]<JointType>(int i, const BodyData<T>& body) {
    const Carried<T>& own = carried[i];
    if (body.parent != kWorld) return own.hand_on(own.X_PB, carried[body.parent]);
    own.hand_on({own.X_PB.R, own.X_PB.p - origin}, world);
  });
  const T shrink = T(1) / world.mass;
  const Vec3<T> from_origin = shrink * world.h;
  const Spatial<T>& p = world.momentum;
  return {world.mass,
          origin + from_origin,
          {p.linear, p.angular - cross(from_origin, p.linear)},
          kinetic};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
