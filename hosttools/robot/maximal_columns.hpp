// What a run in maximal coordinates records: of each body its pose and velocity, of each constraint
// its multipliers, what contacts and limits do, then the energy and the constraint errors. `x.bob.z
// [m]`, `v.bob.z [m/s]`, `lambda.rod [N]`, `contact.ball.z [N]`, `limit.knee [N m]`.
#pragma once

#include <vector>

#include "mechanism/mechanism.hpp"
#include "model/tree.hpp"
#include "record/record.hpp"

namespace lockstep::host {

std::vector<RecordColumn> body_columns(const Mechanism& mechanism);        // x, then v
std::vector<RecordColumn> multiplier_columns(const Mechanism& mechanism);  // lambda
std::vector<RecordColumn> multiplier_columns(const Tree& tree);  // of its loops and couplings
// Forces of contacts on the bodies, and of bounds along their coordinates; none if nothing touches.
std::vector<RecordColumn> contact_columns(const Mechanism& mechanism);
RecordColumn energy_column();
std::vector<RecordColumn> balance_columns();  // energy, constraint errors

}  // namespace lockstep::host
