// The shapes of a robot as its header declares them.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// A word for each type: "sphere".
const char* shape_name(contact::ShapeType type);

std::string write_collider(const contact::ColliderRecord& collider);

// kColliders, kColliderNames; kColliderPoints and kColliderPairs, empty where there are none.
std::string emit_colliders(const Tree& tree);

}  // namespace lockstep::host
