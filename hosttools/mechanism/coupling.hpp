// Rows along joints' coordinates: couplings, one row over the bodies of several joints, as records
// that join each other; and the springs, dampers and rotors of joints, rows that yield.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

// A joint whose coordinate is about or along z of its frames.
struct CoupledJoint {
  int a = kWorld, b = kWorld;
  Placement<double> X_A, X_B;
  bool slides = false;
  double factor = 1;
};

// The sum of factor * coordinate is the offset; without one, what it is at the start.
void add_coupling(const std::string& name, const std::vector<CoupledJoint>& joints,
                  std::optional<double> offset, const maximal::Softness& own, Mechanism& mechanism);

// On the joint's coordinate, with a spring at rest where that is `rest`.
void add_passive(const std::string& joint_name, const CoupledJoint& joint, double rest,
                 const maximal::Softness& own, Mechanism& mechanism);
inline std::string passive_name(const std::string& joint) { return joint + ".passive"; }

inline bool is_coupling(const maximal::ConstraintRecord& record) {
  return record.type == static_cast<int>(maximal::ConstraintType::kAngleTerm) ||
         record.type == static_cast<int>(maximal::ConstraintType::kWayTerm);
}

}  // namespace lockstep::host
