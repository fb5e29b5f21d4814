#include "sim/torques.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "record/csv.hpp"
#include "system/read_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

constexpr double kLastStep = 1e15;
constexpr std::size_t kTime = 0;  // the first column

std::vector<std::string> split(const std::string& line, const std::string& where) {
  const auto fields = csv_fields(line);
  if (!fields) throw Error(where + ": a quote is not closed; write \"name\"");
  return *fields;
}

bool is_torque(const RecordColumn& column) { return column.name.starts_with("tau."); }

// The columns that the fields of a row are for.
std::vector<std::size_t> read_header(const std::string& line, const std::string& path,
                                     std::span<const RecordColumn> columns) {
  std::vector<std::size_t> fields;
  for (const std::string& name : split(line, path + ":1")) {
    const auto column = find_column(columns, name);
    if (!column) {
      std::string known = header_of(columns[kTime]);
      for (const RecordColumn& other : columns) {
        if (is_torque(other)) known += ", " + header_of(other);
      }
      throw Error(path + ":1: column " + quote(name) + " is not known; known are " + known);
    }
    if (std::ranges::find(fields, *column) != fields.end()) {
      throw Error(path + ":1: column " + quote(name) + " is there twice; remove one");
    }
    fields.push_back(*column);
  }
  if (std::ranges::find(fields, kTime) == fields.end()) {
    throw Error(path + ":1: has no column 'time'; add one, in seconds");
  }
  return fields;
}

}  // namespace

void Torques::add(std::uint64_t step, std::span<const double> torques) {
  steps_.push_back(step);
  torques_.insert(torques_.end(), torques.begin(), torques.end());
}

Eigen::VectorXd Torques::at(std::uint64_t step) const {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(dofs_);
  const auto next =
      static_cast<std::size_t>(std::ranges::upper_bound(steps_, step) - steps_.begin());
  for (std::size_t i = 0; next > 0 && i < columns_.size(); ++i) {
    tau[columns_[i]] = torques_[(next - 1) * columns_.size() + i];
  }
  return tau;
}

Torques read_torques(const std::string& path, std::span<const RecordColumn> recorded, double dt) {
  std::istringstream stream(
      read_file(path, 256 * kMebibyte, "give a CSV file with columns time, tau.JOINT"));
  std::vector<RecordColumn> columns = {time_column()};
  columns.insert(columns.end(), recorded.begin(), recorded.end());
  std::string line;
  if (!std::getline(stream, line)) {
    throw Error(path + ": is empty; give a header row: time, tau.JOINT");
  }
  if (line.ends_with('\r')) line.pop_back();
  const std::vector<std::size_t> header = read_header(line, path, columns);
  const auto first_torque = std::ranges::find_if(columns, is_torque) - columns.begin();
  std::vector<Eigen::Index> driven;
  for (const std::size_t column : header) {
    if (is_torque(columns[column])) {
      driven.push_back(static_cast<Eigen::Index>(column) - first_torque);
    }
  }
  Torques torques(std::move(driven), std::ranges::count_if(columns, is_torque));
  double time = -std::numeric_limits<double>::infinity();
  for (int number = 2; std::getline(stream, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    const std::vector<std::string> fields = split(line, where);
    if (fields.size() != header.size()) {
      throw Error(where + ": has " + std::to_string(fields.size()) + " fields, and the header " +
                  std::to_string(header.size()) + "; give each column a number");
    }
    std::vector<double> row;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = parse_number(fields[i]);
      if (!value) throw Error(where + ": " + quote(fields[i]) + " is no number; give one");
      if (is_torque(columns[header[i]])) row.push_back(*value);
      if (header[i] != kTime) continue;
      if (!(*value > time)) throw Error(where + ": the time does not grow; sort the rows by time");
      time = *value;
    }
    // a time that is written in decimals is hardly ever a whole number of steps to the last bit
    const double step = std::clamp(std::ceil(time / dt - 1e-6), 0.0, kLastStep);
    torques.add(static_cast<std::uint64_t>(step), row);
  }
  return torques;
}

}  // namespace lockstep::host::sim
