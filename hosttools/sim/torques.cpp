#include "sim/torques.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "error.hpp"
#include "record/csv.hpp"
#include "urdf/finding.hpp"
#include "urdf/number.hpp"

namespace lockstep::host::sim {

namespace {

constexpr double kMostSteps = 1e15;

// What a field is for: the time, a torque, or nothing.
struct Field {
  bool is_time = false;
  std::optional<std::size_t> torque;
};

std::vector<std::string> split(const std::string& line, const std::string& where) {
  const auto fields = csv_fields(line);
  if (!fields) throw Error(where + ": a quote is not closed; write \"name\"");
  return *fields;
}

std::vector<Field> read_header(const std::string& line, const std::string& path,
                               const CoordinateNames& names) {
  std::vector<Field> fields;
  std::vector<std::string> seen;
  for (const std::string& name : split(line, path + ":1")) {
    const auto column = find_column(names, name);
    if (!column && name != "time") {
      std::string known = "time";
      for (const std::string& joint : names.v) known += ", tau." + joint;
      throw Error(path + ":1: column " + quote(name) + " is not known; known are " + known);
    }
    if (std::ranges::find(seen, name) != seen.end()) {
      throw Error(path + ":1: column " + quote(name) + " is there twice; remove one");
    }
    seen.push_back(name);
    fields.push_back({.is_time = !column, .torque = {}});
    if (column && column->quantity == Quantity::kTau) fields.back().torque = column->index;
  }
  if (std::ranges::none_of(fields, &Field::is_time)) {
    throw Error(path + ":1: has no column 'time'; add one, in seconds");
  }
  return fields;
}

}  // namespace

const Eigen::VectorXd& Torques::at(std::uint64_t step) const {
  const auto next = std::ranges::upper_bound(rows_, step, {}, &Row::step);
  return next == rows_.begin() ? none_ : std::prev(next)->tau;
}

Torques read_torques(const std::string& path, const CoordinateNames& names, double dt) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path)) {
    throw Error(path + ": cannot be read; give a CSV file with columns time, tau.JOINT");
  }
  std::vector<Field> header;
  std::vector<Torques::Row> rows;
  double time = -std::numeric_limits<double>::infinity();
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (number == 1) {
      header = read_header(line, path, names);
      continue;
    }
    if (line.empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    const std::vector<std::string> fields = split(line, where);
    if (fields.size() != header.size()) {
      throw Error(where + ": has " + std::to_string(fields.size()) + " fields, and the header " +
                  std::to_string(header.size()) + "; give each column a number");
    }
    Torques::Row row = {0, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(names.v.size()))};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = parse_number(fields[i]);
      if (!value) throw Error(where + ": " + quote(fields[i]) + " is no number; give one");
      if (header[i].torque) row.tau[static_cast<Eigen::Index>(*header[i].torque)] = *value;
      if (!header[i].is_time) continue;
      if (!(*value > time)) throw Error(where + ": the time does not grow; sort the rows by time");
      time = *value;
    }
    // a time that is written in decimals is hardly ever a whole number of steps to the last bit
    row.step = static_cast<std::uint64_t>(std::clamp(std::ceil(time / dt - 1e-6), 0.0, kMostSteps));
    rows.push_back(row);
  }
  if (header.empty()) throw Error(path + ": is empty; give a header row: time, tau.JOINT");
  return {std::move(rows), names.v.size()};
}

}  // namespace lockstep::host::sim
