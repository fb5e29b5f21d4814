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
  // Of the velocities that have a column; the others get none.
  Torques(std::vector<Eigen::Index> columns, Eigen::Index dofs)
      : columns_(std::move(columns)), dofs_(dofs) {}

  // Steps ascend; a torque for each column.
  void add(std::uint64_t step, std::span<const double> torques);

  Eigen::VectorXd at(std::uint64_t step) const;

 private:
  std::vector<Eigen::Index> columns_;
  Eigen::Index dofs_;
  std::vector<std::uint64_t> steps_;
  std::vector<double> torques_;  // row after row: a file's rows may be millions
};

// `recorded` are the columns of a record, with a torque for each velocity, one after the other.
// Throws Error that names the file, the line and the remedy.
Torques read_torques(const std::string& path, std::span<const RecordColumn> recorded, double dt);

}  // namespace lockstep::host::sim
