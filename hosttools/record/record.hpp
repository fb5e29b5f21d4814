// What a run was like, step by step: time, coordinates, velocities and torques, as CSV and as
// plots. A column is named after its joint: `q.elbow`, and `q.hip.x` where a joint has several.
// SI units, radians; quaternions x y z w, a floating base's v in its own frame.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/tree.hpp"
#include "plot/chart.hpp"

namespace lockstep::host {

struct CoordinateNames {
  std::vector<std::string> q, v;  // v names torques as well
};

// In the model's order.
CoordinateNames coordinate_names(const Tree& tree);

enum class Quantity { kQ, kV, kTau };
struct Column {
  Quantity quantity;
  std::size_t index;  // into its names
};

// The column that a record calls `q.elbow`; none if there is none.
std::optional<Column> find_column(const CoordinateNames& names, std::string_view column);

class Record {
 public:
  explicit Record(CoordinateNames names) : names_(std::move(names)) {}

  // Each as long as its names. Torques are those that act from this time on.
  void add(double time, std::span<const double> q, std::span<const double> v,
           std::span<const double> tau);

  std::size_t steps() const { return times_.size(); }

  // time, every q, every v, every tau; numbers read back to the same bits.
  std::string csv() const;

  Chart q_chart(const std::string& title) const;
  Chart tau_chart(const std::string& title) const;
  Chart chart(const std::string& title, std::span<const Column> columns) const;

 private:
  Chart chart(const std::string& title, const std::string& label, const std::vector<double>& values,
              const std::vector<std::string>& names) const;
  Curve curve(const std::vector<double>& values, const std::vector<std::string>& names,
              std::size_t i) const;

  CoordinateNames names_;
  std::vector<double> times_, q_, v_, tau_;  // step by step
};

// At most about `most` points with the same peaks: of every stretch its lowest and its highest.
Curve thinned(const Curve& curve, std::size_t most);

}  // namespace lockstep::host
