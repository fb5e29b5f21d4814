// What the passes of forward dynamics keep of one body.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/joint.hpp"
#include "lockstep/spatial.hpp"

namespace lockstep {

// Later passes reuse what earlier ones no longer need.
template <class T>
struct BodyState {
  JointPose<T> pose;
  Spatial<T> V;   // twist; after `resolve` the acceleration, gravity subtracted
  Spatial<T> c;   // V x S v
  Spatial<T> f;   // bias wrench; after `eliminate` y on F and on N what the joint hands on; after
                  // `resolve` the wrench that the joint passes to the body
  Inertia6<T> B;  // the body's block of H; after `eliminate` L and 1/D on FF, W on FN, and on NN
                  // what the joint hands on

  // Of what turns with the joint (rotor.hpp), in B; where joints with one coordinate have no use
  // for a rotation.
  constexpr Spatial<T> tied() const { return {pose.R_PB.x, pose.R_PB.y}; }  // H
  constexpr void set_tied(const Spatial<T>& H) { pose.R_PB.x = H.linear, pose.R_PB.y = H.angular; }
  constexpr Vec3<T>& spin_moment() { return pose.R_PB.z; }  // w_P x h qd
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
