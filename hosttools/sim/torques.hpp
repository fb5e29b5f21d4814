// Torques over time, from a CSV file: a column `time` and any of `tau.JOINT`, as a record has them.
// A row acts from the first step at or after its time until the next row does; nothing acts before
// the first. Joints without a column get no torque; a record's other columns are passed over.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace lockstep::host::sim {

class Torques {
 public:
  struct Row {
    std::uint64_t step;
    Eigen::VectorXd tau;
  };

  // Steps ascend.
  Torques(std::vector<Row> rows, std::size_t dofs)
      : rows_(std::move(rows)), none_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dofs))) {}

  const Eigen::VectorXd& at(std::uint64_t step) const;

 private:
  std::vector<Row> rows_;
  Eigen::VectorXd none_;
};

// `recorded` are the columns of a record, with a torque for each velocity, one after the other.
// Throws Error that names the file, the line and the remedy.
Torques read_torques(const std::string& path, std::span<const RecordColumn> recorded, double dt);

}  // namespace lockstep::host::sim
