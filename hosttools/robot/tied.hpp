// Joints that follow others, whatever velocity they were given.
#pragma once

#include "lockstep/model.hpp"

namespace lockstep::host {

template <class Model, class Dofs>
void follow_leaders(const Model& model, Dofs& v) {
  for (const auto& body : model.bodies()) {
    if (body.leader == kNone) continue;
    v[body.v] = body.ratio * v[model.bodies()[at(body.leader)].v];
  }
}

}  // namespace lockstep::host
