// What a run was like, step by step: time and any columns, each a named quantity with its unit, as
// CSV and as charts. In a header a column is called `q.elbow [rad]`; who reads one may leave out
// the unit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/chart.hpp"

namespace lockstep::host {

struct RecordColumn {
  std::string name;
  std::string unit;  // empty: a pure number
};

// Of every record, before its own columns.
RecordColumn time_column();

// `q.elbow [rad]`.
std::string header_of(const RecordColumn& column);

// The column of this name, with or without its unit; none if there is none.
std::optional<std::size_t> find_column(std::span<const RecordColumn> columns,
                                       std::string_view name);

class Record {
 public:
  explicit Record(std::vector<RecordColumn> columns) : columns_(std::move(columns)) {}

  // A row, in the columns' order. Throws Error.
  void add(double time, std::span<const double> values);
  // Takes off the rows from this time on.
  void cut(double time);

  std::size_t steps() const { return times_.size(); }
  const std::vector<RecordColumn>& columns() const { return columns_; }
  double time(std::size_t row) const { return times_[row]; }
  double at(std::size_t row, std::size_t column) const {
    return values_[row * columns_.size() + column];
  }
  std::vector<std::size_t> columns_that_start_with(std::string_view prefix) const;

  // Numbers read back to the same bits.
  std::string csv() const;

  // A chart over time for each unit among the columns, unit quaternions in one of their own, and in
  // it a curve a column. A column `q_ref.elbow` is dashed beside `q.elbow`. `label` goes before the
  // units.
  std::vector<Chart> panels(const std::string& label, std::span<const std::size_t> columns) const;

 private:
  std::vector<RecordColumn> columns_;
  std::vector<double> times_, values_;  // step by step
};

// At most about `most` points with the same peaks: of every stretch its lowest and its highest.
Curve thinned(const Curve& curve, std::size_t most);

}  // namespace lockstep::host
