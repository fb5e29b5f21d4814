// Forces of the last step's rows, which Gauss-Seidel and Newton's method start from: a run that is
// saved keeps them.
#pragma once

#include <vector>

#include "lockstep/rows/warm_start.hpp"
#include "lockstep/status.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

struct KeptForce {
  RowKey key;
  double force = 0;  // N or N m
};

template <class Result>
std::vector<KeptForce> kept_forces(const Result& result) {
  std::vector<KeptForce> kept;
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.row_count); ++i) {
    kept.push_back({result.keys[i], static_cast<double>(result.forces[i])});
  }
  return kept;
}

template <class Stepper>
Status recall_kept(const std::vector<KeptForce>& kept, Stepper& stepper) {
  std::vector<RowKey> keys;
  std::vector<typename Stepper::Scalar> forces;
  for (const KeptForce& own : kept) {
    keys.push_back(own.key);
    forces.push_back(static_cast<typename Stepper::Scalar>(own.force));
  }
  return stepper.recall(keys, forces);
}

// Under the key "forces", where there are any. read_kept throws Error.
void write_kept(const std::vector<KeptForce>& kept, Json& document);
std::vector<KeptForce> read_kept(const JsonFields& fields);

}  // namespace lockstep::host
