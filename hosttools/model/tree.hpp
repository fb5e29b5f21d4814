// The reduced robot: fixed joints lumped, bodies parents first, body frames turned onto the joint
// axes. Holds exactly what an emitted header or a table model needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/model.hpp"

namespace lockstep::host {

struct Tree {
  std::string name;
  std::vector<Body> bodies;              // Backward order: parents first
  std::vector<std::string> link_names;   // of the bodies
  std::vector<std::string> joint_names;  // of the bodies; a floating base is "root_joint"
  std::vector<Frame> frames;             // every URDF link
  std::vector<std::string> frame_names;
};

}  // namespace lockstep::host
