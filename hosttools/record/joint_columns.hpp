// The columns of a robot in joint space: every q, every v, every tau, in the model's order, named
// after their joints: `q.elbow`, and `q.hip.x` where a joint has several. Quaternions x y z w, a
// floating base's v in its own frame.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"
#include "record/record.hpp"

namespace lockstep::host {

std::vector<RecordColumn> joint_columns(const Tree& tree);

// A row of these columns. Torques are those that act from this time on.
template <class Vector>
std::vector<double> joint_row(const Vector& q, const Vector& v, const Vector& tau) {
  std::vector<double> row;
  for (const Vector* part : {&q, &v, &tau}) row.insert(row.end(), part->begin(), part->end());
  return row;
}

struct CoordinateNames {
  std::vector<std::string> q, v;  // `elbow`, `hip.x`; v names torques as well
};

CoordinateNames coordinate_names(const Tree& tree);

}  // namespace lockstep::host
