// What a draft's shapes, ground and bounds become.
#pragma once

#include "mechanism/draft.hpp"
#include "mechanism/mechanism.hpp"

namespace lockstep::host {

void add_shapes(const DraftBody& body, int index, Mechanism& mechanism);
// All that can meet, but for bodies that a constraint ties together: they overlap at their joint.
void add_pairs(Mechanism& mechanism);
maximal::GroundRecord to_ground(const DraftGround& ground);
// On bodies a and b, with frames in them whose z the coordinate is about or along.
maximal::JointBoundRecord to_bound(const DraftConstraint& constraint, int a, int b,
                                   const Placement<double>& X_A, const Placement<double>& X_B);

}  // namespace lockstep::host
