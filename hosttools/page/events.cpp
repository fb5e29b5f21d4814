#include "page/events.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lockstep::host {

namespace {

constexpr double kAtEffort = 1e-6;  // relative: torques of a float reach an effort so nearly

// Something that holds in some rows: an event where that begins, and one where it ends.
struct Watched {
  std::function<bool(std::size_t row)> holds;
  std::string kind, begins;
  std::string end_kind = {}, ends = {};  // empty: of no interest
};

}  // namespace

std::vector<EffortLimit> effort_limits(const Tree& tree, std::span<const RecordColumn> columns) {
  std::vector<EffortLimit> limits;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const auto column = find_column(columns, "tau." + tree.joint_names[i]);
    if (column && dof_count(body.joint) == 1 && std::isfinite(body.limits.effort) &&
        body.limits.effort > 0) {
      limits.push_back({*column, body.limits.effort, tree.joint_names[i]});
    }
  }
  return limits;
}

std::vector<Event> find_events(const Record& record, std::span<const EffortLimit> efforts) {
  const std::vector<RecordColumn>& columns = record.columns();
  std::vector<Watched> watched;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    if (name.starts_with("limit.")) {
      watched.push_back({.holds = [&record, i](std::size_t row) { return record.at(row, i) != 0; },
                         .kind = "limit",
                         .begins = name.substr(6) + " reaches a limit"});
    }
    // all components of a force, the moments of a mechanism's bodies too
    if (name.starts_with("contact.") && name.ends_with(".x")) {
      const std::string start = name.substr(0, name.size() - 1);
      std::size_t end = i;
      while (end < columns.size() && columns[end].name.starts_with(start)) ++end;
      const std::string link = name.substr(8, name.size() - 10);
      watched.push_back({.holds =
                             [&record, i, end](std::size_t row) {
                               bool touches = false;
                               for (std::size_t k = i; k < end; ++k) {
                                 touches = touches || record.at(row, k) != 0;
                               }
                               return touches;
                             },
                         .kind = "contact",
                         .begins = link + " touches",
                         .end_kind = "lift",
                         .ends = link + " lifts off"});
    }
  }
  for (const EffortLimit& own : efforts) {
    watched.push_back({.holds =
                           [&record, own](std::size_t row) {
                             const double torque = std::abs(record.at(row, own.column));
                             return std::abs(torque - own.effort) <= kAtEffort * own.effort;
                           },
                       .kind = "torque",
                       .begins = own.joint + ": torque cut to its effort"});
  }
  std::vector<Event> events;
  std::vector<bool> held(watched.size(), false);
  bool sound = true;
  for (std::size_t row = 0; row < record.steps(); ++row) {
    const double time = record.time(row);
    for (std::size_t i = 0; i < watched.size(); ++i) {
      const bool holds = watched[i].holds(row);
      if (holds == held[i]) continue;
      held[i] = holds;
      if (holds) events.push_back({time, watched[i].kind, watched[i].begins});
      if (!holds && !watched[i].ends.empty()) {
        events.push_back({time, watched[i].end_kind, watched[i].ends});
      }
    }
    for (std::size_t i = 0; sound && i < columns.size(); ++i) {
      if (std::isfinite(record.at(row, i))) continue;
      sound = false;
      events.push_back({time, "fault", columns[i].name + " is not a finite number from here on"});
    }
  }
  return events;
}

}  // namespace lockstep::host
