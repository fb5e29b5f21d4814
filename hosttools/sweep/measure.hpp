// What a run leaves in the table: the last, least, greatest or mean value of a column of its
// record, over the states that are looked at.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace lockstep::host::sweep {

struct Measure {
  enum class How { kLast, kMin, kMax, kMean } how = How::kLast;
  std::size_t column = 0;
};

// "max tau.elbow"; of no texts, the last of every q and v. Throws Error; `where` opens it.
std::vector<Measure> read_measures(const std::string& where, const std::vector<std::string>& texts,
                                   std::span<const RecordColumn> columns);
// "max tau.elbow" in N m.
std::vector<RecordColumn> measure_columns(std::span<const Measure> measures,
                                          std::span<const RecordColumn> columns);

class Measured {
 public:
  // `own` are the columns of this run; one that it lacks, because nothing rubs in it, is zero.
  Measured(std::span<const Measure> measures, std::span<const RecordColumn> columns,
           std::span<const RecordColumn> own);

  void add(std::span<const double> row);
  std::vector<double> values() const;

 private:
  std::vector<Measure> measures_;
  std::vector<double> values_;  // of a mean, the sum
  double rows_ = 0;
};

}  // namespace lockstep::host::sweep
