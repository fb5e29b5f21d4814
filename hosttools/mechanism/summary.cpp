#include "mechanism/summary.hpp"

#include <algorithm>

#include "mechanism/state.hpp"
#include "mechanism/words.hpp"
#include "text/number.hpp"
#include "urdf/disjoint_sets.hpp"

namespace lockstep::host {

namespace {

template <class Words>
std::string name_of(const Words& words, int type) {
  const auto row =
      std::ranges::find_if(words, [&](const auto& w) { return static_cast<int>(w.type) == type; });
  return row == std::end(words) ? std::string() : std::string(row->name);
}

std::size_t count_components(const Mechanism& mechanism) {
  std::size_t components = mechanism.bodies.size();
  DisjointSets sets(components);
  for (const maximal::ConstraintRecord& constraint : mechanism.constraints) {
    if (constraint.a == kWorld || constraint.b == kWorld) continue;
    if (sets.join(at(constraint.a), at(constraint.b))) --components;
  }
  return components;
}

}  // namespace

MechanismCounts count(const Mechanism& mechanism) {
  const Offsets offsets(mechanism);
  std::vector<ConstraintState> states;
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    states.push_back(evaluate(mechanism, offsets, i));
  }
  const Eigen::SparseMatrix<double> J = jacobian(mechanism, states, Which::kHolding);
  MechanismCounts counts;
  counts.coordinates = offsets.pose.back();
  counts.velocities = offsets.velocity.back();
  for (const maximal::ConstraintRecord& own : mechanism.constraints) {
    counts.multipliers += row_count(own);
  }
  counts.yielding = counts.multipliers - static_cast<std::size_t>(J.rows());
  counts.degrees_of_freedom =
      counts.velocities + dependent_rows(offsets, J).size() - static_cast<std::size_t>(J.rows());
  counts.components = count_components(mechanism);
  return counts;
}

std::string summary(const Mechanism& mechanism) {
  const MechanismCounts counts = count(mechanism);
  const auto constraints =
      std::ranges::count(mechanism.constraints, false, &maximal::ConstraintRecord::joins);
  return counted(mechanism.bodies.size(), "body", "bodies") + ", " +
         counted(static_cast<std::size_t>(constraints), "constraint", "constraints") + ", " +
         counted(counts.degrees_of_freedom, "degree", "degrees") + " of freedom, " +
         counted(counts.multipliers, "multiplier", "multipliers");
}

std::string body_type_name(int type) { return name_of(kBodyWords, type); }
std::string constraint_type_name(int type) {
  if (type == static_cast<int>(maximal::ConstraintType::kAngleTerm)) return "angle";
  if (type == static_cast<int>(maximal::ConstraintType::kWayTerm)) return "way";
  if (type == static_cast<int>(maximal::ConstraintType::kStrut)) return "distance";
  return name_of(kConstraintWords, type);
}

}  // namespace lockstep::host
