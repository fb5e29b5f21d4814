// What happened in a run, found in its record: links that touch and lift off, joints at their
// limits, torques at their effort, numbers that are none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/tree.hpp"
#include "record/record.hpp"

namespace lockstep::host {

struct Event {
  double time = 0;   // s
  std::string kind;  // contact, lift, limit, torque or fault
  std::string text;

  bool operator==(const Event&) const = default;
};

// The greatest effort of each column of torques that has one.
struct EffortLimit {
  std::size_t column = 0;
  double effort = 0;  // N m or N
  std::string joint;
};
std::vector<EffortLimit> effort_limits(const Tree& tree, std::span<const RecordColumn> columns);

// By time; those of one row in the columns' order.
std::vector<Event> find_events(const Record& record, std::span<const EffortLimit> efforts);

}  // namespace lockstep::host
