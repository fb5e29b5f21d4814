// Numbers by name in JSON: {"elbow": 0.5, "hip": [0, 0, 0, 1]}, the order and the sizes being the
// model's; and the head that every saved state has.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "json_file.hpp"

namespace lockstep::host::sim {

// The things that have numbers, in the model's order: joints, or bodies.
struct Named {
  std::string owner, kind;  // "robot", "joint": for messages
  std::vector<std::string> names;
  std::vector<int> sizes;
};

// Reads the object at `key` into `values`; what is not there keeps its numbers. Returns how many
// were there. Throws Error that names the file, the key and the remedy.
std::size_t read_named(const JsonFields& fields, const char* key, const Named& named,
                       Eigen::VectorXd& values);
// Throws Error if one is missing.
void read_all_named(const JsonFields& fields, const char* key, const Named& named,
                    Eigen::VectorXd& values);

Json named_json(const Named& named, const Eigen::VectorXd& values);

// What a saved state belongs to, and how far it is.
struct SavedHead {
  std::string owner;  // "robot": for messages
  std::uint64_t model = 0;
  std::string scalar;
  double dt = 0;
  std::uint64_t step = 0, hash = 0;
};

Json to_json(const SavedHead& head);

// Throws Error if it is of another model or scalar than `own` has.
SavedHead read_head(const JsonFields& fields, const std::string& path, const SavedHead& own);

}  // namespace lockstep::host::sim
