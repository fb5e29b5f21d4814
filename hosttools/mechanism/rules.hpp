// The rules for mechanisms, a file each.
#pragma once

#include "mechanism/draft.hpp"
#include "mechanism/mechanism.hpp"

namespace lockstep::host {

void check_bodies(const DraftMechanism& draft, Findings& findings);
void check_constraints(const DraftMechanism& draft, Findings& findings);
void check_yielding(const DraftMechanism& draft, Findings& findings);
void check_contact(const DraftMechanism& draft, Findings& findings);
// The bodies that constraints refer to exist.
void check_loops(const DraftMechanism& draft, Findings& findings);
// The mechanism is what the draft makes, in the same order.
void check_start(const DraftMechanism& draft, const Mechanism& mechanism, Findings& findings);
// Shapes do not begin in each other or in the ground, joints within their limits.
void check_contact_start(const DraftMechanism& draft, const Mechanism& mechanism,
                         Findings& findings);

}  // namespace lockstep::host
