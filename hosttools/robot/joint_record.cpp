#include "robot/joint_record.hpp"

#include <cmath>

#include "record/joint_columns.hpp"
#include "robot/maximal_columns.hpp"

namespace lockstep::host {

double time_of(std::uint64_t step, double dt) {
  const double rate = std::round(1 / dt), steps = static_cast<double>(step);
  return 1 / rate == dt ? steps / rate : steps * dt;
}

namespace {

constexpr const char* kAxes[] = {".x", ".y", ".z"};

// A base that floats is held by nothing.
bool carries(const Body& body) { return body.joint != JointType::kFloating; }

}  // namespace

JointRecord::JointRecord(const RobotTrees& robot, const Bounds& bounds, bool referenced, bool loads)
    : robot_(robot),
      bounded_(robot.computed, bounds),
      has_rows_(is_closed(robot.computed) || bounded_.any()),
      loads_(loads) {
  Counts at;
  for (std::size_t i = 0; referenced && i < robot.whole.bodies.size(); ++i) {
    const JointType joint = robot.whole.bodies[i].joint;
    const bool slides = joint == JointType::kPrismatic;
    if (dof_count(joint) == 1) {
      referenced_.push_back(
          {robot.whole.joint_names[i], slides ? "m" : "rad", slides ? "m/s" : "rad/s", at.q, at.v});
    }
    at.add(joint);
  }
}

std::vector<RecordColumn> JointRecord::columns() const {
  std::vector<RecordColumn> columns = joint_columns(robot_.whole);
  const auto append = [&](const std::vector<RecordColumn>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
  };
  for (const Single& joint : referenced_) columns.push_back({"q_ref." + joint.name, joint.unit});
  for (const Single& joint : referenced_) {
    columns.push_back({"v_ref." + joint.name, joint.rate_unit});
  }
  for (const Single& joint : referenced_) columns.push_back({"error." + joint.name, joint.unit});
  if (has_rows_) {
    append(multiplier_columns(robot_.computed));
    append(bounded_columns(robot_.computed, bounded_));
    append(balance_columns());
  } else {
    columns.push_back(energy_column());
  }
  if (!loads_) return columns;
  const auto add_vector = [&](const std::string& name, const char* unit) {
    for (const char* axis : kAxes) columns.push_back({name + axis, unit});
  };
  for (const int body : bounded_.touching) {
    add_vector("contact_at." + robot_.computed.link_names[at(body)], "m");
  }
  for (std::size_t i = 0; i < robot_.whole.bodies.size(); ++i) {
    if (carries(robot_.whole.bodies[i])) add_vector("reaction." + robot_.whole.joint_names[i], "N");
  }
  return columns;
}

std::vector<double> JointRecord::row(const JointMoment& now, const Mechanics& mechanics) const {
  std::vector<double> row = joint_row(now.q, now.v, now.tau);
  for (const Single& joint : referenced_) row.push_back(now.reference->q[joint.q]);
  for (const Single& joint : referenced_) row.push_back(now.reference->v[joint.v]);
  for (const Single& joint : referenced_) {
    row.push_back(now.reference->q[joint.q] - now.q[joint.q]);
  }
  if (has_rows_) {
    row.insert(row.end(), now.lambda.begin(), now.lambda.end());
    row.insert(row.end(), now.bounded.begin(), now.bounded.end());
  }
  row.push_back(mechanics.kinetic + mechanics.potential);
  if (has_rows_) row.insert(row.end(), {now.errors.position, now.errors.velocity});
  if (!loads_) return row;
  row.insert(row.end(), now.contact_at.begin(), now.contact_at.end());
  const auto& bodies = robot_.whole.bodies;
  const std::vector<WorldBody> placed = place_in_world(bodies, now.q, now.v);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!carries(bodies[i])) continue;
    const Eigen::Vector3d force =
        link_axes(bodies[i], placed[i]) * now.reaction.col(static_cast<Eigen::Index>(i)).head<3>();
    row.insert(row.end(), force.begin(), force.end());
  }
  return row;
}

}  // namespace lockstep::host
