#include "mechanism/coupling.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/state.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

maximal::ConstraintRecord record_of(const CoupledJoint& joint, double offset) {
  using maximal::ConstraintType;
  const maximal::Between<maximal::AngleTerm<double>> row = {
      joint.X_A, joint.X_B, {joint.factor, offset}};
  maximal::ConstraintRecord record = {
      .type =
          static_cast<int>(joint.slides ? ConstraintType::kWayTerm : ConstraintType::kAngleTerm),
      .a = joint.a,
      .b = joint.b,
      .numbers = maximal::to_numbers<maximal::kMaxConstraintNumbers>(row)};
  add_zero(record.numbers);
  return record;
}

void soften(const maximal::Softness& own, maximal::ConstraintRecord& record) {
  record.stiffness = own.stiffness + 0.0;
  record.damping = own.damping + 0.0;
  record.armature = own.armature + 0.0;
}

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
                  std::optional<double> offset, const maximal::Softness& own,
                  Mechanism& mechanism) {
  const int parts = turn_parts(joints);
  const std::size_t begin = mechanism.constraints.size();
  for (const CoupledJoint& joint : joints) {
    const bool first = &joint == &joints.front();
    maximal::ConstraintRecord record = record_of(joint, first ? offset.value_or(0) : 0);
    record.joins = !first;
    record.turn_parts = parts;
    if (first) soften(own, record);
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

void add_passive(const std::string& joint_name, const CoupledJoint& joint, double rest,
                 const maximal::Softness& own, Mechanism& mechanism) {
  maximal::ConstraintRecord record = record_of(joint, rest);
  record.turn_parts = joint.slides ? 0 : 1;
  soften(own, record);
  mechanism.constraints.push_back(record);
  mechanism.constraint_names.push_back(passive_name(joint_name));
}

}  // namespace lockstep::host
