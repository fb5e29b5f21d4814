#include "sim/report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "model/content_hash.hpp"
#include "report_lines.hpp"
#include "urdf/number.hpp"

namespace lockstep::host::sim {

namespace {

double energy(const Mechanics& mechanics) { return mechanics.kinetic + mechanics.potential; }

std::string number(double value, int digits = 6) {
  std::ostringstream text;
  text << std::setprecision(digits) << value;
  return text.str();
}

std::string change(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const char* unit) {
  const auto vector = [](const Eigen::Vector3d& v) {
    return "(" + number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]) + ")";
  };
  return vector(from) + " to " + vector(to) + " " + unit;
}

bool is_damped(const Body& body) { return body.damping != 0; }

bool is_held_to_world(const Body& body) {
  return body.parent == kWorld && body.joint != JointType::kFloating;
}

}  // namespace

void Balance::add(const DenseInput& now) {
  end_ = mechanics(bodies_, now);
  if (!started_) start_ = end_;
  started_ = true;
  largest_change_ = std::max(largest_change_, std::abs(energy(end_) - energy(start_)));
}

std::string to_text(const SimReport& report) {
  const SimSettings& settings = report.settings;
  const Balance& balance = report.balance;
  const double begin = time_of(report.first, settings.dt);
  const double end = time_of(report.state.step, settings.dt);
  const bool driven = settings.hold || settings.torques;
  const bool damped = std::ranges::any_of(report.tree.bodies, is_damped);
  ReportLines lines;
  lines.add("robot", report.tree.name + ", " + report.scalar + ", " + report.integrator);
  lines.add("steps", std::to_string(report.state.step - report.first) + " of " +
                         write_number(settings.dt) + " s, from " + write_number(begin) + " s to " +
                         write_number(end) + " s");
  lines.add("energy", number(energy(balance.start())) + " J to " + number(energy(balance.end())) +
                          " J, largest change " + number(balance.largest_change(), 2) + " J" +
                          (driven || damped ? ""
                                            : "; no torques, no damping: conserved but for "
                                              "the integrator's error"));
  if (std::ranges::none_of(report.tree.bodies, is_held_to_world)) {
    lines.add("momentum",
              change(balance.start().momentum, balance.end().momentum, "kg m/s, in the world"));
    lines.add("", change(balance.start().angular_momentum, balance.end().angular_momentum,
                         "kg m^2/s, about its origin"));
  }
  if (report.outcome.limited != 0) {
    lines.add("limits", std::to_string(report.outcome.limited) +
                            " torques were cut to their joint's effort; --limits none to keep");
  }
  const double factor = (end - begin) / report.outcome.seconds;
  lines.add("real time", number(factor < 100 ? factor : std::round(factor), factor < 100 ? 2 : 9) +
                             " times as fast, on one core");
  lines.add("hash", hash_text(report.state.hash));
  return lines.text();
}

}  // namespace lockstep::host::sim
