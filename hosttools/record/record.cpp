#include "record/record.hpp"

#include <algorithm>

#include "record/csv.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kPlotPoints = 2000;  // more than the plot has pixels

// `q [rad, m]`, in the order that the units come.
std::string with_units(const std::string& label, std::vector<std::string> units) {
  if (std::ranges::all_of(units, &std::string::empty)) return label;
  std::ranges::replace(units, std::string(), std::string("1"));
  return label + " [" + listed(units) + "]";
}

}  // namespace

RecordColumn time_column() { return {"time", "s"}; }

std::string header_of(const RecordColumn& column) {
  return column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
}

std::optional<std::size_t> find_column(std::span<const RecordColumn> columns,
                                       std::string_view name) {
  // headers first: a record must find its own columns again, even if a joint is called `a [rad]`
  auto found = std::ranges::find(columns, name, header_of);
  if (found == columns.end()) found = std::ranges::find(columns, name, &RecordColumn::name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

void Record::add(double time, std::span<const double> values) {
  if (values.size() != columns_.size()) {
    throw Error("record: a row of " + std::to_string(values.size()) + " values, and " +
                std::to_string(columns_.size()) + " columns; give a value a column");
  }
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
}

void Record::cut(double time) {
  while (!times_.empty() && times_.back() >= time) times_.pop_back();
  values_.resize(times_.size() * columns_.size());
}

std::vector<std::size_t> Record::columns_that_start_with(std::string_view prefix) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name.starts_with(prefix)) found.push_back(i);
  }
  return found;
}

std::string Record::csv() const {
  std::string text = header_of(time_column());
  for (const RecordColumn& column : columns_) text += "," + csv_field(header_of(column));
  text += '\n';
  auto value = values_.begin();
  for (const double time : times_) {
    text += write_number(time);
    for (std::size_t i = 0; i < columns_.size(); ++i) text += "," + write_number(*value++);
    text += '\n';
  }
  return text;
}

Chart Record::chart(const std::string& title, const std::string& y_label,
                    std::span<const std::size_t> columns) const {
  Chart chart = {.title = title, .x = {header_of(time_column())}, .y = {}, .curves = {}};
  std::vector<std::string> units;
  for (const std::size_t column : columns) {
    const auto& [name, unit] = columns_.at(column);
    if (std::ranges::find(units, unit) == units.end()) units.push_back(unit);
    Curve curve = {.name = name, .x = times_, .y = {}};
    for (std::size_t i = column; i < values_.size(); i += columns_.size()) {
      curve.y.push_back(values_[i]);
    }
    chart.curves.push_back(thinned(curve, kPlotPoints));
  }
  chart.y.label = with_units(y_label, units);
  return chart;
}

Curve thinned(const Curve& curve, std::size_t most) {
  const std::size_t count = curve.y.size();
  if (count <= most) return curve;
  Curve thin = {.name = curve.name, .x = {}, .y = {}, .markers = curve.markers};
  const auto keep = [&](std::size_t i) {
    thin.x.push_back(curve.x[i]);
    thin.y.push_back(curve.y[i]);
  };
  const std::size_t stretches = most / 2;
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto from = curve.y.begin() + static_cast<std::ptrdiff_t>(count * i / stretches);
    const auto to = curve.y.begin() + static_cast<std::ptrdiff_t>(count * (i + 1) / stretches);
    const auto [low, high] = std::minmax_element(from, to);
    keep(static_cast<std::size_t>(std::min(low, high) - curve.y.begin()));
    if (low != high) keep(static_cast<std::size_t>(std::max(low, high) - curve.y.begin()));
  }
  return thin;
}

}  // namespace lockstep::host
