// The answer to a sweep: a row a run, in their order, as CSV and as NumPy's file of records.
#pragma once

#include <string>
#include <vector>

#include "sweep/run.hpp"

namespace lockstep::host::sweep {

// `runs` are all of the question's, in order.
std::string table_csv(const Question& question, const std::vector<Finished>& runs);
// NEP 1: numpy.load gives an array with these names; numbers are 8 bytes, least significant first.
std::string table_npy(const Question& question, const std::vector<Finished>& runs);

// Over all runs' hashes: whether two tables are the same.
std::uint64_t table_hash(const std::vector<Finished>& runs);

}  // namespace lockstep::host::sweep
