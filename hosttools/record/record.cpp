#include "record/record.hpp"

#include <algorithm>

#include "record/csv.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kPlotPoints = 2000;  // more than the plot has pixels

constexpr const char* kReference = "_ref.";  // in the name of what another is to follow

// What is shown in one panel: values of one unit.
std::string panel_of(const RecordColumn& column) {
  if (!column.unit.empty()) return column.unit;
  const std::string& name = column.name;
  const bool quaternion = name.size() > 3 && name[name.size() - 3] == '.' &&
                          name[name.size() - 2] == 'q' &&
                          std::string_view("xyzw").find(name.back()) != std::string_view::npos;
  return quaternion ? "unit quaternion" : "1";
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

std::vector<Chart> Record::panels(const std::string& label,
                                  std::span<const std::size_t> columns) const {
  std::vector<Chart> charts;
  std::vector<std::string> units;
  for (const std::size_t column : columns) {
    const std::string& name = columns_.at(column).name;
    const std::string unit = panel_of(columns_[column]);
    const auto own = static_cast<std::size_t>(std::ranges::find(units, unit) - units.begin());
    if (own == units.size()) {
      units.push_back(unit);
      charts.push_back({.title = "",
                        .x = {header_of(time_column())},
                        .y = {label + (label.empty() ? "[" : " [") + unit + "]"},
                        .curves = {}});
    }
    auto& curves = charts[own].curves;
    Curve curve = {.name = name, .x = times_, .y = {}};
    if (const std::size_t at = name.find(kReference); at != std::string::npos) {
      const auto followed =
          std::ranges::find(curves, name.substr(0, at) + name.substr(at + 4), &Curve::name);
      if (followed != curves.end()) {
        curve.reference_of = static_cast<std::size_t>(followed - curves.begin());
      }
    }
    for (std::size_t i = column; i < values_.size(); i += columns_.size()) {
      curve.y.push_back(values_[i]);
    }
    curves.push_back(thinned(curve, kPlotPoints));
  }
  return charts;
}

Curve thinned(const Curve& curve, std::size_t most) {
  const std::size_t count = curve.y.size();
  if (count <= most) return curve;
  Curve thin = {.name = curve.name,
                .x = {},
                .y = {},
                .markers = curve.markers,
                .reference_of = curve.reference_of};
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
