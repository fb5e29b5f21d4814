#include "sim/work.hpp"

#include "mechanism/state.hpp"
#include "robot/balance.hpp"

namespace lockstep::host::sim {

bool is_driven(const maximal::ConstraintRecord& record) {
  using Type = maximal::ConstraintType;
  const auto type = static_cast<Type>(record.type);
  if (type == Type::kGear) return true;  // with a rate, or measured against a world that turns
  return type == Type::kDrivenRevolute || type == Type::kDrivenPrismatic ||
         type == Type::kDrivenPin || type == Type::kDrivenDistance || type == Type::kDrivenAngle;
}

MechanismWork::MechanismWork(const Mechanism& mechanism)
    : moved_(mechanism),
      force_(Eigen::Map<const Eigen::VectorXd>(mechanism.forces.data(),
                                               static_cast<Eigen::Index>(mechanism.forces.size()))),
      pushed_(force_.size() != 0 && force_.cwiseAbs().maxCoeff() != 0) {
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    if (is_driven(mechanism.constraints[i])) driven_.push_back(i);
  }
}

void MechanismWork::add(double time, double dt, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                        const Eigen::VectorXd& lambda) {
  moved_.x0.assign(x.begin(), x.end());
  moved_.v0.assign(v.begin(), v.end());
  const std::vector<DrivenRow> rows = driven_rows(time);
  if (started_) {
    if (pushed_) total_ += work_of(force_, before_, v, dt);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      total_ -= 0.5 * dt * lambda[rows[i].row] * (rows_[i].phi_t + rows[i].phi_t);
    }
  }
  started_ = true;
  before_ = v;
  rows_ = rows;
}

std::vector<MechanismWork::DrivenRow> MechanismWork::driven_rows(double time) const {
  std::vector<DrivenRow> rows;
  if (driven_.empty()) return rows;
  const Offsets offsets(moved_);
  Eigen::Index first = 0;
  auto next = driven_.begin();
  for (std::size_t i = 0; next != driven_.end(); ++i) {
    const maximal::ConstraintRecord& record = moved_.constraints[i];
    if (i == *next) {
      const constraint::AnyConstraint<double> own(record);
      const auto all = own.rows(hold(moved_, offsets, record.a, own.X_A).frame,
                                hold(moved_, offsets, record.b, own.X_B).frame, time);
      for (int k = 0; k < all.size(); ++k) rows.push_back({first + k, all.phi_t[at(k)]});
      ++next;
    }
    first += static_cast<Eigen::Index>(row_count(record));
  }
  return rows;
}

}  // namespace lockstep::host::sim
