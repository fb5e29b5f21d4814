// The conformance data beside the project: real robots and a peer's answers. Tests use it where it
// exists and say so where it does not.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/model.hpp"
#include "oracle/dense.hpp"

namespace lockstep::test {

struct ConformanceState {
  host::DenseInput in;
  host::DenseOutput reference;
};

// One robot with one base. Bodies and states are in the file's joint order.
struct ConformanceCase {
  std::string name;  // "panda.floating"
  std::string base;  // "fixed" or "floating"
  std::string urdf;
  std::string states_file;
};

// Empty, with a line on the output, where the data is not there.
std::vector<ConformanceCase> conformance_cases();

nlohmann::json read_json(const std::string& path);

// The robot from the numbers that the peer printed: no URDF is read.
std::vector<Body> bodies_of(const nlohmann::json& file);
// Condition of the joint-space mass matrix at a state of the file.
double condition_of(const nlohmann::json& state);

std::vector<ConformanceState> states_of(const nlohmann::json& file, std::span<const Body> bodies);

}  // namespace lockstep::test
