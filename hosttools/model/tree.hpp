// The reduced robot: fixed joints lumped, bodies parents first, body frames turned onto the joint
// axes. Holds exactly what an emitted header or a table model needs, and what reports tell.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/contact/records.hpp"
#include "lockstep/maximal/records.hpp"
#include "lockstep/model.hpp"

namespace lockstep::host {

struct Tree {
  std::string name;
  std::vector<Body> bodies;              // Backward order: parents first
  std::vector<std::string> link_names;   // of the bodies
  std::vector<std::string> joint_names;  // of the bodies; a floating base is "root_joint"
  std::vector<NamedFrame> frames;        // every URDF link
  std::vector<std::string> frame_names;
  std::vector<maximal::ConstraintRecord> loops;  // types of StandardTypes
  std::vector<std::string> loop_names;
  std::vector<Coupling> couplings;  // the file's, then those of mimics
  std::vector<CouplingTerm> terms;
  std::vector<std::string> coupling_names;
  std::vector<contact::ColliderRecord> colliders;  // in the file's order
  std::vector<std::array<double, 3>> collider_points;
  std::vector<std::string> collider_names;  // of the shape, or of its link
  std::vector<contact::ColliderPair> collider_pairs;
  std::vector<Rotor> rotors;             // that are no bodies any more (model/merge.hpp)
  std::vector<std::string> rotor_names;  // of their joints
  std::vector<int> dependent;  // bodies, ascending, whose joints users do not want to actuate
};

inline std::span<const CouplingTerm> terms_of(const Tree& tree, const Coupling& coupling) {
  return std::span(tree.terms).subspan(at(coupling.first), at(coupling.count));
}

}  // namespace lockstep::host
