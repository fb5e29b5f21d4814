#include "sim/report.hpp"

#include <algorithm>
#include <cmath>

#include "model/content_hash.hpp"
#include "sim/simulation.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

std::string change(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const char* unit) {
  const auto vector = [](const Eigen::Vector3d& v) {
    return "(" + brief(v[0], 6) + ", " + brief(v[1], 6) + ", " + brief(v[2], 6) + ")";
  };
  return vector(from) + " to " + vector(to) + " " + unit;
}

std::string start_text(const SimOptions& options) {
  if (!options.restore.empty()) return "the state of " + options.restore;
  if (!options.start.empty()) return options.start == "zero" ? "the zero pose" : options.start;
  return "at rest, in the pose nearest to zero within the limits";
}

std::string drive_text(const SimOptions& options) {
  if (!options.hold.empty()) {
    return "drives that hold the start pose, kp " + brief(options.hold[0]) + " N m/rad, kd " +
           brief(options.hold[1]) + " N m s/rad";
  }
  if (!options.torques.empty()) return "torques of " + options.torques;
  if (!options.controller.command.empty()) return "controller " + options.controller.command;
  return "nothing";
}

}  // namespace

CardLines option_lines(const SimOptions& options, const std::string& how,
                       const std::array<double, 3>& gravity) {
  CardLines lines = {{"steps", how},
                     {"gravity", brief(gravity[0]) + ", " + brief(gravity[1]) + ", " +
                                     brief(gravity[2]) + " m/s^2 in the world"},
                     {"starts", start_text(options)}};
  for (const Change& change : options.changes) lines.emplace_back("set", change_text(change));
  if (options.drop) lines.emplace_back("dropped from", brief(*options.drop) + " m");
  lines.emplace_back("driven by", drive_text(options));
  if (!options.hold.empty() || !options.torques.empty() || !options.controller.command.empty()) {
    lines.emplace_back("efforts", wants_limit(options.bounds, "effort")
                                      ? "cut to those of the joints"
                                      : "not cut");
  }
  return lines;
}

std::string limits_text(std::uint64_t limited) {
  return std::to_string(limited) +
         " torques were cut to their joint's effort; --limits none to keep";
}

std::string error_text(const ConstraintErrors<double>& errors) {
  return "errors of at most " + brief(errors.position, 2) + " m or rad, " +
         brief(errors.velocity, 2) + " m/s or rad/s";
}

RunFacts facts_of(const std::string& path, const std::string& page, const SimReport& report) {
  RunFacts facts = {.path = path,
                    .page = page,
                    .subtitle = std::to_string(report.last - report.first) + " steps of " +
                                write_number(report.dt) + " s, " + report.how,
                    .lines = lines_of(report).lines()};
  std::erase_if(facts.lines, [](const auto& line) { return line.first == kRealTime; });
  if (report.verdict.name == kUnstable) {
    const double end = time_of(report.last, report.dt);
    facts.events.push_back({end, "fault", report.verdict.name + ": " + report.verdict.text});
  }
  return facts;
}

RunFacts broken_facts(const std::string& path, const std::string& page, const Record& record,
                      const std::string& why) {
  const double end = record.steps() == 0 ? 0 : record.time(record.steps() - 1);
  return {.path = path,
          .page = page,
          .subtitle = "broke off at " + write_number(end) + " s",
          .lines = {{"broke off", why}},
          .events = {{end, "fault", why}}};
}

ReportLines lines_of(const SimReport& report) {
  const Balance& balance = report.balance;
  const double begin = time_of(report.first, report.dt), end = time_of(report.last, report.dt);
  ReportLines lines;
  lines.add(report.kind, report.name + ", " + report.how);
  lines.add("steps", std::to_string(report.last - report.first) + " of " + write_number(report.dt) +
                         " s, from " + write_number(begin) + " s to " + write_number(end) + " s");
  lines.add("energy",
            energy_text(balance) + (report.conserved ? "; no torques, no damping: all of it the "
                                                       "integrator's error"
                                                     : ""));
  lines.add(report.verdict.name, report.verdict.text);
  if (report.free) {
    lines.add("momentum",
              change(balance.start().momentum, balance.end().momentum, "kg m/s, in the world"));
    lines.add("", change(balance.start().angular_momentum, balance.end().angular_momentum,
                         "kg m^2/s, about its origin"));
  }
  for (const auto& [name, value] : report.more) lines.add(name, value);
  const double factor = (end - begin) / report.seconds;
  const bool slow = factor < 100;
  lines.add(kRealTime, brief(slow ? factor : std::round(factor), slow ? 2 : 9) +
                           " times as fast, on one core");
  lines.add("hash", hash_text(report.hash));
  return lines;
}

}  // namespace lockstep::host::sim
