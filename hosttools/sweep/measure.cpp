#include "sweep/measure.hpp"

#include <algorithm>
#include <limits>

#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host::sweep {

namespace {

constexpr const char* kHow[] = {"last", "min", "max", "mean"};

}  // namespace

std::vector<Measure> read_measures(const std::string& where, const std::vector<std::string>& texts,
                                   std::span<const RecordColumn> columns) {
  std::vector<Measure> measures;
  for (std::size_t i = 0; texts.empty() && i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    if (name.starts_with("q.") || name.starts_with("v.")) {
      measures.push_back({Measure::How::kLast, i});
    }
  }
  for (const std::string& text : texts) {
    const std::size_t space = text.find(' ');
    const auto how = std::ranges::find(kHow, text.substr(0, space));
    const auto column = space == std::string::npos
                            ? std::nullopt
                            : find_column(columns, std::string_view(text).substr(space + 1));
    if (how == std::end(kHow) || !column) {
      throw Error(where + ": 'measure': " + quote(text) +
                  " is none; give last, min, max or mean and a column of `lockstep sim --csv`");
    }
    const Measure own = {static_cast<Measure::How>(how - std::begin(kHow)), *column};
    for (const Measure& other : measures) {
      if (other.how == own.how && other.column == own.column) {
        throw Error(where + ": 'measure': " + quote(text) + " is there twice; leave one out");
      }
    }
    measures.push_back(own);
  }
  return measures;
}

std::vector<RecordColumn> measure_columns(std::span<const Measure> measures,
                                          std::span<const RecordColumn> columns) {
  std::vector<RecordColumn> named;
  for (const Measure& own : measures) {
    const RecordColumn& column = columns[own.column];
    named.push_back(
        {std::string(kHow[static_cast<std::size_t>(own.how)]) + " " + column.name, column.unit});
  }
  return named;
}

Measured::Measured(std::span<const Measure> measures, std::span<const RecordColumn> columns,
                   std::span<const RecordColumn> own)
    : measures_(measures.begin(), measures.end()), values_(measures.size()) {
  for (Measure& measure : measures_) {
    const auto& name = columns[measure.column].name;
    const auto found = std::ranges::find(own, name, &RecordColumn::name);
    measure.column = static_cast<std::size_t>(found - own.begin());
  }
}

void Measured::add(std::span<const double> row) {
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const std::size_t column = measures_[i].column;
    const double now = column < row.size() ? row[column] : 0;
    double& value = values_[i];
    switch (measures_[i].how) {
      case Measure::How::kLast: value = now; break;
      case Measure::How::kMin: value = rows_ == 0 ? now : std::min(value, now); break;
      case Measure::How::kMax: value = rows_ == 0 ? now : std::max(value, now); break;
      case Measure::How::kMean: value += now; break;
    }
  }
  rows_ += 1;
}

std::vector<double> Measured::values() const {
  std::vector<double> values = values_;
  if (rows_ == 0) std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    if (measures_[i].how == Measure::How::kMean) values[i] /= rows_;
  }
  return values;
}

}  // namespace lockstep::host::sweep
