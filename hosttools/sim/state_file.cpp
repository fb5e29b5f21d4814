#include "sim/state_file.hpp"

#include <charconv>
#include <unordered_map>

#include "error.hpp"
#include "json_file.hpp"
#include "model/content_hash.hpp"
#include "urdf/finding.hpp"

namespace lockstep::host::sim {

namespace {

using Count = int (*)(JointType);  // config_count for q, dof_count for v

// Reads `{"joint": number or array}` into `values`; joints that are not there keep theirs. Returns
// how many were there.
std::size_t read_joints(const JsonFields& fields, const char* key, const Tree& tree, Count count,
                        Eigen::VectorXd& values) {
  const Json* object = fields.find(key);
  if (object == nullptr) return 0;
  if (!object->is_object()) fields.refuse(key, "an object with a joint's name for each key");
  std::unordered_map<std::string_view, std::pair<Eigen::Index, int>> places;
  std::string known;
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const int size = count(tree.bodies[i].joint);
    places[tree.joint_names[i]] = {at, size};
    known += (known.empty() ? "" : ", ") + tree.joint_names[i];
    at += size;
  }
  for (const auto& [name, given] : object->items()) {
    const std::string where = fields.where(key) + ": joint " + quote(name);
    const auto found = places.find(name);
    if (found == places.end()) {
      throw Error(where + ": the robot has no such joint that moves; " +
                  (known.empty() ? "remove it" : "it has " + known));
    }
    const auto [first, size] = found->second;
    const Json& numbers = given.is_array() ? given : Json::array({given});
    bool fits = numbers.size() == static_cast<std::size_t>(size);
    for (std::size_t i = 0; fits && i < numbers.size(); ++i) {
      fits = numbers[i].is_number();
      if (fits) values[first + static_cast<Eigen::Index>(i)] = numbers[i].get<double>();
    }
    if (!fits) {
      throw Error(where + ": give " +
                  (size == 1 ? "a number" : std::to_string(size) + " numbers in [ ]"));
    }
  }
  return object->size();
}

Json joints_json(const Tree& tree, Count count, const Eigen::VectorXd& values) {
  Json object = Json::object();
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const int size = count(tree.bodies[i].joint);
    Json numbers = Json::array();
    for (int k = 0; k < size; ++k) numbers.push_back(values[at++]);
    object[tree.joint_names[i]] = size == 1 ? numbers[0] : numbers;
  }
  return object;
}

void normalize(const std::string& path, const Tree& tree, Eigen::VectorXd& q) {
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const JointType joint = tree.bodies[i].joint;
    at += config_count(joint);
    if (joint != JointType::kBall && joint != JointType::kFloating) continue;
    auto quaternion = q.segment<4>(at - 4);
    const double length = quaternion.stableNorm();
    if (!(length > 0)) {
      throw Error(path + ": 'q': joint " + quote(tree.joint_names[i]) +
                  ": the quaternion has no length; give x y z w of length one");
    }
    quaternion /= length;
  }
}

std::string text_of(const JsonFields& fields, const char* key) {
  if (!fields.find(key)->is_string()) fields.refuse(key, "what --save wrote");
  return fields.find(key)->get<std::string>();
}

std::uint64_t hash_of(const JsonFields& fields, const char* key) {
  const std::string text = text_of(fields, key);
  std::uint64_t hash = 0;
  const char* end = text.data() + text.size();
  const bool fits = text.size() == 18 && text.starts_with("0x") &&
                    std::from_chars(text.data() + 2, end, hash, 16).ptr == end;
  if (!fits) fields.refuse(key, "0x and sixteen digits");
  return hash;
}

}  // namespace

SimState rest_state(const Tree& tree) {
  const DenseInput still = rest(tree.bodies);
  SimState state;
  state.q = state.held = still.q;
  state.v = still.v;
  return state;
}

SimState read_start(const std::string& path, const Tree& tree) {
  const Json document = read_json(path, "a state");
  const JsonFields fields(document, path, {"q", "v"});
  SimState state = rest_state(tree);
  read_joints(fields, "q", tree, config_count, state.q);
  read_joints(fields, "v", tree, dof_count, state.v);
  normalize(path, tree, state.q);
  state.held = state.q;
  return state;
}

std::string start_text(const Eigen::VectorXd& q, const Tree& tree) {
  const Json document = {{"q", joints_json(tree, config_count, q)}};
  return document.dump(2) + "\n";
}

std::string saved_text(const SavedState& saved, const Tree& tree, const std::string& scalar) {
  const Json document = {{"model", hash_text(content_hash(tree))},
                         {"scalar", scalar},
                         {"dt", saved.dt},
                         {"step", saved.state.step},
                         {"hash", hash_text(saved.state.hash)},
                         {"q", joints_json(tree, config_count, saved.state.q)},
                         {"v", joints_json(tree, dof_count, saved.state.v)},
                         {"held", joints_json(tree, config_count, saved.state.held)}};
  return document.dump(2) + "\n";
}

SavedState read_saved(const std::string& path, const Tree& tree, const std::string& scalar) {
  const Json document = read_json(path, "a saved state");
  const auto keys = {"model", "scalar", "dt", "step", "hash", "q", "v", "held"};
  const JsonFields fields(document, path, keys);
  for (const char* key : keys) {
    if (fields.find(key) == nullptr) {
      throw Error(path + ": has no '" + key + "'; give a file that --save wrote");
    }
  }
  if (hash_of(fields, "model") != content_hash(tree)) {
    throw Error(path + ": 'model' is " + text_of(fields, "model") + ", and this robot is " +
                hash_text(content_hash(tree)) + "; give the same URDF, --base and damping");
  }
  if (text_of(fields, "scalar") != scalar) fields.refuse("scalar", "--scalar the same");
  SavedState saved = {.state = rest_state(tree), .dt = fields.positive("dt", 0)};
  saved.state.step = fields.whole("step", 0, 0);
  saved.state.hash = hash_of(fields, "hash");
  const auto read_all = [&](const char* key, Count count, Eigen::VectorXd& values) {
    if (read_joints(fields, key, tree, count, values) == tree.bodies.size()) return;
    throw Error(fields.where(key) + " lacks a joint; give a file that --save wrote");
  };
  read_all("q", config_count, saved.state.q);
  read_all("v", dof_count, saved.state.v);
  read_all("held", config_count, saved.state.held);
  return saved;
}

}  // namespace lockstep::host::sim
