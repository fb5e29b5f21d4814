#include "robot/stiff_row.hpp"

#include <cmath>

#include "mechanism/state.hpp"
#include "robot/maximal_columns.hpp"
#include "robot/mechanism_robot.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

std::optional<std::string> stiff_row(const Mechanism& mechanism, double dt, const Manner& manner) {
  const std::vector<maximal::ConstraintRecord>& records = mechanism.constraints;
  if (std::isinf(manner.damping) || std::ranges::none_of(records, [](const auto& record) {
        return record.stiffness != 0 || record.damping != 0;
      })) {
    return std::nullopt;
  }
  const Offsets offsets(mechanism);
  MechanismRobot<double> robot(mechanism);
  const auto size = static_cast<Eigen::Index>(mechanism.v0.size());
  robot.set(Eigen::Map<const Eigen::VectorXd>(mechanism.x0.data(),
                                              static_cast<Eigen::Index>(mechanism.x0.size())),
            Eigen::VectorXd::Zero(size));
  robot.set_loads(Eigen::VectorXd::Zero(size), {});
  if (robot.solve() != Status::kOk) return std::nullopt;
  const Eigen::VectorXd resting = robot.out.v;
  const std::vector<RecordColumn> columns = multiplier_columns(mechanism);
  StiffSearch search(dt, manner);
  std::size_t row = 0;
  for (std::size_t i = 0; i < records.size(); row += row_count(records[i]), ++i) {
    if (!yields(records[i])) continue;
    std::size_t end = i + 1;
    while (end < records.size() && records[end].joins) ++end;
    for (std::size_t part = 0; part < row_count(records[i]); ++part) {
      Eigen::VectorXd J = Eigen::VectorXd::Zero(size);
      for (std::size_t term = i; term < end; ++term) {
        const ConstraintState state = evaluate(mechanism, offsets, term);
        const auto put = [&](int body, const Eigen::MatrixXd& own) {
          if (body == kWorld) return;
          J.segment(static_cast<Eigen::Index>(offsets.velocity[at(body)]), own.cols()) +=
              own.row(static_cast<Eigen::Index>(part)).transpose();
        };
        put(records[term].a, state.J_A);
        put(records[term].b, state.J_B);
      }
      robot.set_loads(J, {});
      if (robot.respond() != Status::kOk) return std::nullopt;
      const double mobility = J.dot(robot.out.v - resting);
      if (!(mobility > 0)) continue;  // others hold it
      search.judge({.label = "constraint " + quote(mechanism.constraint_names[i]),
                    .inertia = 1 / mobility,
                    .damping = records[i].damping,
                    .stiffness = records[i].stiffness,
                    .slides = columns[row + part].unit == "N"});
    }
  }
  return search.text();
}

}  // namespace lockstep::host
