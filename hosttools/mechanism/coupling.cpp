#include "mechanism/coupling.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/state.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

// The least n of which the factors of all angles are whole n-ths, so that a turn of any joint is
// whole n-ths of a turn of the sum; 0: there is none, and joints are not to turn on and on.
int turn_parts(const std::vector<CoupledJoint>& joints) {
  constexpr int kMost = 1000;
  if (std::ranges::all_of(joints, &CoupledJoint::slides)) return 0;
  for (int n = 1; n <= kMost; ++n) {
    const auto is_whole = [&](const CoupledJoint& joint) {
      const double parts = n * joint.factor;
      return joint.slides || std::abs(parts - std::round(parts)) < 1e-9 * n;
    };
    if (std::ranges::all_of(joints, is_whole)) return n;
  }
  return 0;
}

}  // namespace

void add_coupling(const std::string& name, const std::vector<CoupledJoint>& joints,
                  std::optional<double> offset, Mechanism& mechanism) {
  using maximal::ConstraintType;
  const int parts = turn_parts(joints);
  const std::size_t begin = mechanism.constraints.size();
  for (const CoupledJoint& joint : joints) {
    const bool first = &joint == &joints.front();
    const maximal::Between<maximal::AngleTerm<double>> row = {
        joint.X_A, joint.X_B, {joint.factor, first ? offset.value_or(0) : 0}};
    maximal::ConstraintRecord record = {
        .type =
            static_cast<int>(joint.slides ? ConstraintType::kWayTerm : ConstraintType::kAngleTerm),
        .a = joint.a,
        .b = joint.b,
        .numbers = maximal::to_numbers<maximal::kMaxConstraintNumbers>(row),
        .joins = !first,
        .turn_parts = parts};
    add_zero(record.numbers);
    mechanism.constraints.push_back(record);
    mechanism.constraint_names.push_back(name);
  }
  if (offset) return;
  double sum = 0;
  const Offsets offsets(mechanism);
  for (std::size_t i = begin; i < mechanism.constraints.size(); ++i) {
    sum += evaluate(mechanism, offsets, i).value[0];
  }
  std::array<double, maximal::kMaxConstraintNumbers>& numbers =
      mechanism.constraints[begin].numbers;
  auto first = maximal::from_numbers<maximal::Between<maximal::AngleTerm<double>>>(numbers);
  first.constraint.offset = sum;
  numbers = maximal::to_numbers<maximal::kMaxConstraintNumbers>(first);
}

}  // namespace lockstep::host
