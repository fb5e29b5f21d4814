#include "mechanism/soft_motion.hpp"

#include <cmath>
#include <numbers>

namespace lockstep::host {

namespace {

unsigned velocity_rows(const maximal::ConstraintRecord& record) {
  unsigned rows = 0;
  maximal::visit_type(HostTypes::Constraints{}, record.type,
                      [&]<class C>() { rows = maximal::velocity_rows<C>(); });
  return rows;
}

}  // namespace

SoftMotion::SoftMotion(const Mechanism& mechanism, const Eigen::VectorXd& before)
    : moved_(mechanism), offsets_(mechanism), values_(before), started_(before.size() > 0) {
  const std::vector<maximal::ConstraintRecord>& records = mechanism.constraints;
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto count = static_cast<int>(row_count(records[i]));
    Row row = {.number = next, .constraint = i};
    while (i + row.terms < records.size() && records[i + row.terms].joins) ++row.terms;
    if (const int parts = records[i].turn_parts; parts > 0) row.turn = 2 * std::numbers::pi / parts;
    for (int part = 0; yields(records[i]) && part < count; ++part, ++row.number) {
      row.part = part;
      row.is_rate = (velocity_rows(records[i]) >> part & 1U) != 0;
      rows_.push_back(row);
      turns_ = turns_ || row.turn > 0;
    }
    next += count;
  }
  if (any() && !started_) values_ = Eigen::VectorXd::Zero(next);
}

void SoftMotion::look(double time, const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  if (!any()) return;
  moved_.x0.assign(x.begin(), x.end());
  moved_.v0.assign(v.begin(), v.end());
  potential_ = kinetic_ = 0;
  for (const Row& row : rows_) look(row, time);
  started_ = true;
}

void SoftMotion::look(const Row& row, double time) {
  double value = 0, rate = 0;
  for (std::size_t i = row.constraint; i < row.constraint + row.terms; ++i) {
    const ConstraintState state = evaluate(moved_, offsets_, i, time);
    value += state.value[row.part];
    rate += state.velocity_error[row.part];
  }
  double& own = values_[row.number];
  if (row.is_rate) value = 0;
  if (started_ && row.turn > 0) value = own + std::remainder(value - own, row.turn);
  own = value;
  const maximal::ConstraintRecord& record = moved_.constraints[row.constraint];
  potential_ += 0.5 * record.stiffness * value * value;
  kinetic_ += 0.5 * record.armature * rate * rate;
}

}  // namespace lockstep::host
