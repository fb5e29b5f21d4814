#include "sweep/plan.hpp"

#include <filesystem>
#include <sstream>

#include "record/csv.hpp"
#include "sweep/draw.hpp"
#include "system/read_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host::sweep {

namespace {

constexpr const char* kQuantityForms =
    "a number, a list of numbers, {\"from\", \"to\", \"count\"} for a grid, {\"from\", \"to\"} or "
    "{\"mean\", \"deviation\"} to draw";

std::uint64_t times(std::uint64_t a, std::uint64_t b, const std::string& path) {
  if (b != 0 && a > kMostRuns / b) {
    throw Error(path + ": asks for more than " + std::to_string(kMostRuns) +
                " runs; take fewer, or split it by seeds");
  }
  return a * b;
}

// The name in a header of a table, without its unit.
std::string without_unit(const std::string& header) {
  const std::size_t unit = header.ends_with(']') ? header.rfind(" [") : std::string::npos;
  return header.substr(0, unit);
}

}  // namespace

Plan Plan::read(const std::string& path) {
  const Json document = read_json(path, "a sweep");
  const JsonFields fields(document, path, {"vary", "rows", "runs", "sampling", "seed", "measure"});
  Plan plan;
  plan.text_ = document.dump();
  if (const Json* rows = fields.find("rows")) {
    if (!rows->is_string()) fields.refuse("rows", "the name of a CSV file");
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    plan.read_rows((folder / rows->get<std::string>()).string());
  }
  plan.seed_ = fields.whole("seed", 1, 0);
  plan.draws_ = fields.whole("runs", 1, 1);
  plan.hypercube_ = fields.choice("sampling", {"random", "latin_hypercube"}, 0) == 1;
  if (const Json* vary = fields.find("vary")) {
    if (!vary->is_object()) fields.refuse("vary", "an object with a quantity's name for each key");
    for (const auto& [name, value] : vary->items()) {
      plan.read_quantity(path + ": 'vary': " + quote(name), name, value);
    }
  }
  if (plan.names_.empty()) {
    throw Error(path + ": nothing varies; give \"vary\": {\"q.JOINT\": ...} or \"rows\"");
  }
  bool draws = false;
  for (const Quantity& own : plan.quantities_) {
    draws |= own.kind != Quantity::Kind::kGrid;
    if (own.kind == Quantity::Kind::kGrid) {
      plan.points_ = times(plan.points_, own.values.size(), path);
    }
  }
  if (!draws && fields.find("runs") != nullptr) {
    fields.refuse("runs", "it only where something is drawn: {\"from\", \"to\"} without a count");
  }
  if (!draws && plan.hypercube_) {
    fields.refuse("sampling", "it only where something is drawn");
  }
  (void)times(times(plan.points_, plan.draws_, path), plan.rows_.size(), path);
  if (const Json* measure = fields.find("measure")) {
    bool fits = measure->is_array() && !measure->empty();
    for (std::size_t i = 0; fits && i < measure->size(); ++i) fits = (*measure)[i].is_string();
    if (!fits) fields.refuse("measure", "a list such as [\"max tau.elbow\", \"last q.elbow\"]");
    plan.measures_ = measure->get<std::vector<std::string>>();
  }
  return plan;
}

void Plan::read_rows(const std::string& path) {
  const std::string bytes =
      read_file(path, 256 * kMebibyte, "give a CSV file with a column a quantity");
  text_ += bytes;
  std::istringstream stream(bytes);
  std::string line;
  rows_.clear();
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    const auto fields = csv_fields(line);
    if (!fields) throw Error(where + ": a quote is not closed; write \"name\"");
    if (names_.empty()) {
      for (const std::string& header : *fields) names_.push_back(without_unit(header));
      continue;
    }
    if (fields->size() != names_.size()) {
      throw Error(where + ": has " + std::to_string(fields->size()) + " fields, and the header " +
                  std::to_string(names_.size()) + "; give each column a number");
    }
    std::vector<double> row;
    for (const std::string& field : *fields) {
      const auto value = parse_number(field);
      if (!value) throw Error(where + ": " + quote(field) + " is no number; give one");
      row.push_back(*value);
    }
    rows_.push_back(std::move(row));
  }
  if (rows_.empty()) throw Error(path + ": has no rows; give a header row and a row a run");
  (void)times(rows_.size(), 1, path);
}

void Plan::read_quantity(const std::string& where, const std::string& name, const Json& value) {
  Quantity own;
  const auto as_list = [&](const Json& list) {
    for (const Json& number : list) {
      if (!number.is_number()) throw Error(where + ": give " + kQuantityForms);
      own.values.push_back(number.get<double>());
    }
    if (own.values.empty()) throw Error(where + ": an empty list; give " + kQuantityForms);
  };
  if (value.is_number() || value.is_array()) {
    as_list(value.is_array() ? value : Json::array({value}));
  } else if (!value.is_object()) {
    throw Error(where + ": give " + kQuantityForms);
  } else if (value.contains("mean")) {
    const JsonFields fields(value, where, {"mean", "deviation"});
    if (!value.contains("deviation")) throw Error(where + ": give " + kQuantityForms);
    own = {Quantity::Kind::kNormal, {}, fields.number("mean", 0), fields.positive("deviation", 0)};
    if (hypercube_) throw Error(where + ": latin_hypercube takes {\"from\", \"to\"}; give these");
  } else {
    const JsonFields fields(value, where, {"from", "to", "count"});
    if (!value.contains("from") || !value.contains("to")) {
      throw Error(where + ": give " + kQuantityForms);
    }
    own = {Quantity::Kind::kBetween, {}, fields.number("from", 0), fields.number("to", 0)};
    if (!(own.a < own.b)) throw Error(where + ": 'from' is not below 'to'; exchange them");
    const std::uint64_t count = fields.whole("count", 0, 2);
    (void)times(count, 1, where);
    for (std::uint64_t i = 0; i < count; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(count - 1);
      own.values.push_back(i + 1 == count ? own.b : own.a + share * (own.b - own.a));
    }
    if (count != 0) own.kind = Quantity::Kind::kGrid;
  }
  names_.push_back(name);
  quantities_.push_back(std::move(own));
}

sim::Changes Plan::changes(std::uint64_t run) const {
  const std::uint64_t draw = run % draws_, cell = run / draws_;
  std::uint64_t point = cell % points_;
  sim::Changes changes;
  for (const double value : rows_[cell / points_])
    changes.push_back({names_[changes.size()], value});
  const std::size_t first = changes.size();
  for (std::size_t i = 0; i < quantities_.size(); ++i) changes.push_back({names_[first + i], 0});
  // the last quantity of the grid is the first to change
  for (std::size_t i = quantities_.size(); i-- > 0;) {
    const Quantity& own = quantities_[i];
    double& value = changes[first + i].value;
    const DrawKey key = {seed_, run, static_cast<std::uint32_t>(i)};
    switch (own.kind) {
      case Quantity::Kind::kGrid:
        value = own.values[point % own.values.size()];
        point /= own.values.size();
        break;
      case Quantity::Kind::kNormal: value = draw_normal(key, own.a, own.b); break;
      case Quantity::Kind::kBetween: {
        double u = draw_uniform(key);
        if (hypercube_) {  // a hypercube a cell: each of its draws in a stratum of its own
          const std::uint64_t stratum = permuted({seed_, cell, key.channel}, draw, draws_);
          u = (static_cast<double>(stratum) + u) / static_cast<double>(draws_);
        }
        value = own.a + u * (own.b - own.a);
      }
    }
  }
  return changes;
}

}  // namespace lockstep::host::sweep
