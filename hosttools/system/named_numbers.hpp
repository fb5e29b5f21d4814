// Numbers by name in JSON: {"elbow": 0.5, "hip": [0, 0, 0, 1]}, the order and the sizes being the
// model's.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "system/json_file.hpp"

namespace lockstep::host {

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

// Brings x y z w to length one. Throws Error if there is none.
void normalize(Eigen::Ref<Eigen::Vector4d> quaternion, const std::string& where);

Json named_json(const Named& named, const Eigen::VectorXd& values);

}  // namespace lockstep::host
