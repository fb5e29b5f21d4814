#include "record/record.hpp"

#include <algorithm>
#include <array>

#include "error.hpp"
#include "lockstep/model.hpp"
#include "record/csv.hpp"
#include "urdf/number.hpp"

namespace lockstep::host {

namespace {

constexpr std::array<const char*, 3> kLetters = {"q", "v", "tau"};  // of the quantities
constexpr std::size_t kPlotPoints = 2000;                           // more than the plot has pixels

struct Parts {
  std::vector<const char*> q, v;  // none: the joint's name is enough
};

Parts parts_of(JointType joint) {
  switch (joint) {
    case JointType::kRevolute:
    case JointType::kPrismatic: break;
    case JointType::kBall: return {{"qx", "qy", "qz", "qw"}, {"wx", "wy", "wz"}};
    case JointType::kPlanar: return {{"x", "y", "angle"}, {"vx", "vy", "wz"}};
    case JointType::kFloating:
      return {{"x", "y", "z", "qx", "qy", "qz", "qw"}, {"vx", "vy", "vz", "wx", "wy", "wz"}};
  }
  return {};
}

void add_names(const std::string& joint, const std::vector<const char*>& parts,
               std::vector<std::string>& names) {
  if (parts.empty()) names.push_back(joint);
  for (const char* part : parts) names.push_back(joint + "." + part);
}

void append_header(std::string& text, const char* letter, const std::vector<std::string>& names) {
  for (const std::string& name : names) text += "," + csv_field(std::string(letter) + "." + name);
}

void append_row(std::string& text, const std::vector<double>& values, std::size_t step,
                std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) text += "," + write_number(values[step * width + i]);
}

}  // namespace

CoordinateNames coordinate_names(const Tree& tree) {
  CoordinateNames names;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Parts parts = parts_of(tree.bodies[i].joint);
    add_names(tree.joint_names[i], parts.q, names.q);
    add_names(tree.joint_names[i], parts.v, names.v);
  }
  return names;
}

std::optional<Column> find_column(const CoordinateNames& names, std::string_view column) {
  for (const Quantity quantity : {Quantity::kQ, Quantity::kV, Quantity::kTau}) {
    const std::string letter = kLetters[static_cast<std::size_t>(quantity)] + std::string(".");
    if (!column.starts_with(letter)) continue;
    const auto& candidates = quantity == Quantity::kQ ? names.q : names.v;
    const auto found = std::ranges::find(candidates, column.substr(letter.size()));
    if (found == candidates.end()) return std::nullopt;
    return Column{quantity, static_cast<std::size_t>(found - candidates.begin())};
  }
  return std::nullopt;
}

void Record::add(double time, std::span<const double> q, std::span<const double> v,
                 std::span<const double> tau) {
  if (q.size() != names_.q.size() || v.size() != names_.v.size() || tau.size() != names_.v.size()) {
    throw Error("record: a step has other coordinates than the robot");
  }
  times_.push_back(time);
  q_.insert(q_.end(), q.begin(), q.end());
  v_.insert(v_.end(), v.begin(), v.end());
  tau_.insert(tau_.end(), tau.begin(), tau.end());
}

std::string Record::csv() const {
  std::string text = "time";
  append_header(text, "q", names_.q);
  append_header(text, "v", names_.v);
  append_header(text, "tau", names_.v);
  text += '\n';
  for (std::size_t step = 0; step < steps(); ++step) {
    text += write_number(times_[step]);
    append_row(text, q_, step, names_.q.size());
    append_row(text, v_, step, names_.v.size());
    append_row(text, tau_, step, names_.v.size());
    text += '\n';
  }
  return text;
}

Chart Record::chart(const std::string& title, const std::string& label,
                    const std::vector<double>& values,
                    const std::vector<std::string>& names) const {
  Chart chart = {.title = title, .x = {"time (s)"}, .y = {label}, .curves = {}};
  for (std::size_t i = 0; i < names.size(); ++i) chart.curves.push_back(curve(values, names, i));
  return chart;
}

Curve Record::curve(const std::vector<double>& values, const std::vector<std::string>& names,
                    std::size_t i) const {
  Curve curve = {.name = names[i], .x = times_, .y = {}};
  for (std::size_t step = 0; step < steps(); ++step) {
    curve.y.push_back(values[step * names.size() + i]);
  }
  return thinned(curve, kPlotPoints);
}

Chart Record::q_chart(const std::string& title) const {
  return chart(title, "q (rad, m)", q_, names_.q);
}

Chart Record::tau_chart(const std::string& title) const {
  return chart(title, "tau (Nm, N)", tau_, names_.v);
}

Chart Record::chart(const std::string& title, std::span<const Column> columns) const {
  Chart chart = {.title = title, .x = {"time (s)"}, .y = {"q, v, tau (SI)"}, .curves = {}};
  for (const auto& [quantity, index] : columns) {
    const bool is_q = quantity == Quantity::kQ;
    const auto& values = is_q ? q_ : quantity == Quantity::kV ? v_ : tau_;
    Curve named = curve(values, is_q ? names_.q : names_.v, index);
    named.name = kLetters[static_cast<std::size_t>(quantity)] + ("." + named.name);
    chart.curves.push_back(named);
  }
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
