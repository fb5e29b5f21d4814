// How bodies and joints answer to unit forces, at rest in the zero pose: the scale of the
// compliance that rows have in a step that minimizes. Found once for a model, by half a sweep each.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/auxiliary/anticipation.hpp"

namespace lockstep::auxiliary {

template <class T>
struct Responses {
  T linear = T(1), angular = T(1);  // of a body at its centre of mass, the mean over directions
  T joint = T(1);                   // of a joint of one coordinate
};

// `solver` is an Anticipation of the model that has begun.
template <class T, class Solver, class View>
void find_responses(Solver& solver, const View& model, std::span<Responses<T>> responses) {
  const T o(0), one(1), third = T(1) / T(3);
  const std::array<Vec3<T>, 3> axes = {{{one, o, o}, {o, one, o}, {o, o, one}}};
  for (int i = 0; i < model.body_count(); ++i) {
    const BodyData<T>& body = model.bodies()[at(i)];
    const Vec3<T> c = body.mass > o ? (one / body.mass) * body.h : Vec3<T>{};
    Responses<T>& own = responses[at(i)];
    own.linear = own.angular = o;
    for (const Vec3<T>& axis : axes) {
      const Spatial<T> push = {axis, cross(c, axis)}, turn = {{}, axis};
      own.linear = own.linear + third * solver.response(wrench_term(i, push));
      // a force at a distance r has 2/3 r^2 of it, over all directions
      own.angular = own.angular + T(2) / T(9) * solver.response(wrench_term(i, turn));
    }
    if (dof_count(body.joint) == 1) {
      own.joint = solver.response(joint_term(body.joint, i, 0, one));
    }
  }
}

}  // namespace lockstep::auxiliary

#include "lockstep/restore_macros.hpp"
