// What a sweep varies, from a JSON file: a run's number becomes what is changed in it. Rows of a
// table, each with every point of a grid, each with some draws. docs/sweep.md describes the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/change.hpp"
#include "system/json_file.hpp"

namespace lockstep::host::sweep {

inline constexpr std::uint64_t kMostRuns = 10'000'000;

class Plan {
 public:
  // `path` is the JSON file's. Throws Error.
  static Plan read(const std::string& path);

  std::uint64_t runs() const { return rows_.size() * points_ * draws_; }
  // Of every run, in the file's order.
  const std::vector<std::string>& names() const { return names_; }
  // Of a run, in the same order.
  sim::Changes changes(std::uint64_t run) const;

  // What is measured, as the file says it: "max tau.elbow"; empty: nothing is said.
  const std::vector<std::string>& measures() const { return measures_; }
  // The text of the file and of the rows: what the question is.
  const std::string& text() const { return text_; }

 private:
  // A quantity of the grid, or drawn between two numbers, or with a mean and a deviation.
  struct Quantity {
    enum class Kind { kGrid, kBetween, kNormal } kind = Kind::kGrid;
    std::vector<double> values = {};  // of the grid
    double a = 0, b = 0;
  };

  void read_rows(const std::string& path);
  void read_quantity(const std::string& where, const std::string& name, const Json& value);

  std::uint64_t seed_ = 1, points_ = 1, draws_ = 1;
  bool hypercube_ = false;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> rows_ = {{}};  // of the first names
  std::vector<Quantity> quantities_;              // of the others
  std::vector<std::string> measures_;
  std::string text_;
};

}  // namespace lockstep::host::sweep
