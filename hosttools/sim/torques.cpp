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

constexpr std::size_t kMaxBytes = 256 * kMebibyte;
constexpr double kMostSteps = 1e15;
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

const Eigen::VectorXd& Torques::at(std::uint64_t step) const {
  const auto next = std::ranges::upper_bound(rows_, step, {}, &Row::step);
  return next == rows_.begin() ? none_ : std::prev(next)->tau;
}

Torques read_torques(const std::string& path, std::span<const RecordColumn> recorded, double dt) {
  std::istringstream stream(
      read_file(path, kMaxBytes, "give a CSV file with columns time, tau.JOINT"));
  std::vector<RecordColumn> columns = {time_column()};
  columns.insert(columns.end(), recorded.begin(), recorded.end());
  const auto first_torque =
      static_cast<std::size_t>(std::ranges::find_if(columns, is_torque) - columns.begin());
  const auto torques = std::ranges::count_if(columns, is_torque);
  std::vector<std::size_t> header;
  std::vector<Torques::Row> rows;
  double time = -std::numeric_limits<double>::infinity();
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (number == 1) {
      header = read_header(line, path, columns);
      continue;
    }
    if (line.empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    const std::vector<std::string> fields = split(line, where);
    if (fields.size() != header.size()) {
      throw Error(where + ": has " + std::to_string(fields.size()) + " fields, and the header " +
                  std::to_string(header.size()) + "; give each column a number");
    }
    Torques::Row row = {0, Eigen::VectorXd::Zero(torques)};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = parse_number(fields[i]);
      if (!value) throw Error(where + ": " + quote(fields[i]) + " is no number; give one");
      if (is_torque(columns[header[i]])) {
        row.tau[static_cast<Eigen::Index>(header[i] - first_torque)] = *value;
      }
      if (header[i] != kTime) continue;
      if (!(*value > time)) throw Error(where + ": the time does not grow; sort the rows by time");
      time = *value;
    }
    // a time that is written in decimals is hardly ever a whole number of steps to the last bit
    row.step = static_cast<std::uint64_t>(std::clamp(std::ceil(time / dt - 1e-6), 0.0, kMostSteps));
    rows.push_back(row);
  }
  if (header.empty()) throw Error(path + ": is empty; give a header row: time, tau.JOINT");
  return {std::move(rows), static_cast<std::size_t>(torques)};
}

}  // namespace lockstep::host::sim
