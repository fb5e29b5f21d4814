// What of a robot is bounded, and what a run records of it: limits and dry friction of joints,
// contacts. `limit.knee [N m]`, `friction.knee [N m]`, `contact.foot.z [N]`.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "model/tree.hpp"
#include "model/tree_rows.hpp"
#include "record/record.hpp"
#include "robot/ground.hpp"

namespace lockstep::host {

inline constexpr Room kHostRoom = {
    .rows = 2 * kHostRows, .contacts = 2 * kHostRows / 3, .blocks = 32 * kHostRows};
// How many contacts act at once where nobody says.
inline constexpr int kHostContacts = kHostRows / 3;

// By body: joints with a limit or a greatest speed, joints that rub, links that may touch.
struct Bounded {
  std::vector<int> limited, rubbing, touching;

  Bounded(const Tree& tree, const Bounds& bounds);
  bool any() const { return !limited.empty() || !rubbing.empty() || !touching.empty(); }
  Eigen::Index size() const {
    return static_cast<Eigen::Index>(limited.size() + rubbing.size() + 3 * touching.size() +
                                     (touching.empty() ? 0 : 1));
  }
};

std::vector<RecordColumn> bounded_columns(const Tree& tree, const Bounded& bounded);

// How many contacts bear something.
template <class Result>
int bearing_count(const Result& result) {
  const auto contacts = result.contacts();
  return static_cast<int>(
      std::ranges::count_if(contacts, [](const auto& own) { return own.normal > 0; }));
}

// A row of these columns: the forces of a step.
template <class Result>
Eigen::VectorXd bounded_row(const Bounded& bounded, const Result& result) {
  Eigen::VectorXd row = Eigen::VectorXd::Zero(bounded.size());
  Eigen::Index at = 0;
  for (const int body : bounded.limited) row[at++] = static_cast<double>(result.limit_force(body));
  for (const int body : bounded.rubbing) {
    row[at++] = static_cast<double>(result.force(RowOf::kFriction, body));
  }
  for (const int body : bounded.touching) {
    for (const auto& own : result.contacts()) {
      const double sign = (own.contact.a == body ? 1 : 0) - (own.contact.b == body ? 1 : 0);
      const auto force = own.normal * own.contact.normal + own.friction;
      row[at] += sign * static_cast<double>(force.x);
      row[at + 1] += sign * static_cast<double>(force.y);
      row[at + 2] += sign * static_cast<double>(force.z);
    }
    at += 3;
  }
  if (!bounded.touching.empty()) row[at] = bearing_count(result);
  return row;
}

// Where the contacts of each link that may touch act: their points, weighed by their normal forces;
// zero where nothing touches.
template <class Result>
Eigen::VectorXd contact_places(const Bounded& bounded, const Result& result) {
  Eigen::VectorXd places =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * bounded.touching.size()));
  Eigen::Index at = 0;
  for (const int body : bounded.touching) {
    double sum = 0;
    for (const auto& own : result.contacts()) {
      if (own.contact.a != body && own.contact.b != body) continue;
      const double weight = static_cast<double>(own.normal);
      sum += weight;
      places[at] += weight * static_cast<double>(own.contact.point.x);
      places[at + 1] += weight * static_cast<double>(own.contact.point.y);
      places[at + 2] += weight * static_cast<double>(own.contact.point.z);
    }
    if (sum > 0) places.segment<3>(at) /= sum;
    at += 3;
  }
  return places;
}

// What the bounds of a run did.
struct BoundedOutcome {
  std::uint64_t steps = 0;  // that went by impulses
  int most_contacts = 0;
  int left_out = 0;               // contacts at once, at most
  double deepest = 0;             // m, of a penetration
  std::uint64_t handed_over = 0;  // solves that pivoting gave up
  std::uint64_t short_stops = 0;  // solves that reached no tolerance
  double violation = 0;           // the largest of these, m/s or rad/s
  int most_rows = 0, most_sweeps = 0;

  template <class Result>
  void add(const Result& result) {
    ++steps;
    for (const auto& own : result.contacts()) {
      deepest = std::max(deepest, -static_cast<double>(own.contact.distance));
    }
    most_contacts = std::max(most_contacts, bearing_count(result));
    left_out = std::max(left_out, result.contacts_left_out);
    handed_over += result.gave_up != rows::GaveUp::kNo;
    if (result.stop == rows::Stop::kSweepsUsedUp) {
      ++short_stops;
      violation = std::max(violation, static_cast<double>(result.violation));
    }
    most_rows = std::max(most_rows, result.row_count);
    most_sweeps = std::max(most_sweeps, result.sweeps);
  }
};

// As --contact-solver has it.
const char* name_of(RowSolver solver);

// Lines for the summary: name and text.
std::vector<std::pair<std::string, std::string>> bounded_lines(const BoundedOutcome& outcome,
                                                               const Bounded& bounded,
                                                               const Bounds& bounds);

}  // namespace lockstep::host
