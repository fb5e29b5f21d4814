#include "robot/state_file.hpp"

#include <cmath>

#include "model/content_hash.hpp"
#include "oracle/world.hpp"
#include "robot/saved_head.hpp"
#include "system/json_file.hpp"
#include "system/named_numbers.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

constexpr double kMostBodies = 1e6;

// Joints with their coordinates: config_count for q, dof_count for v.
Named joints(const Tree& tree, int (*count)(JointType)) {
  Named named = {.owner = "robot", .kind = "joint", .names = tree.joint_names, .sizes = {}};
  for (const Body& body : tree.bodies) named.sizes.push_back(count(body.joint));
  return named;
}

// A row's force: what the row is, its number, the other body, the count, newtons.
Json kept_json(const std::vector<KeptForce>& kept) {
  Json rows = Json::array();
  for (const auto& [key, force] : kept) {
    rows.push_back({static_cast<int>(key.of), key.number, key.other, key.count, force});
  }
  return rows;
}

std::vector<KeptForce> read_kept(const JsonFields& fields) {
  std::vector<KeptForce> kept;
  const Json* rows = fields.find("forces");
  if (rows == nullptr) return kept;
  bool fits = rows->is_array() && rows->size() <= static_cast<std::size_t>(kHostRoom.rows);
  for (std::size_t i = 0; fits && i < rows->size(); ++i) {
    const Json& row = (*rows)[i];
    fits = row.is_array() && row.size() == 5 && row[4].is_number();
    for (std::size_t k = 0; fits && k < 4; ++k) {
      fits = row[k].is_number_integer() && std::abs(row[k].get<double>()) <= kMostBodies;
    }
    if (!fits) break;
    const RowKey key = {static_cast<RowOf>(row[0].get<int>()), row[1].get<int>(), row[2].get<int>(),
                        row[3].get<int>()};
    kept.push_back({key, row[4].get<double>()});
  }
  if (!fits) fields.refuse("forces", "what --save wrote");
  return kept;
}

}  // namespace

void normalize_quaternions(const std::string& path, const Tree& tree, Eigen::VectorXd& q) {
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const JointType joint = tree.bodies[i].joint;
    at += config_count(joint);
    if (joint != JointType::kBall && joint != JointType::kFloating) continue;
    normalize(q.segment<4>(at - 4), path + ": 'q': joint " + quote(tree.joint_names[i]));
  }
}

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
  read_named(fields, "q", joints(tree, config_count), state.q);
  read_named(fields, "v", joints(tree, dof_count), state.v);
  normalize_quaternions(path, tree, state.q);
  state.held = state.q;
  return state;
}

std::string start_text(const Eigen::VectorXd& q, const Tree& tree) {
  const Json document = {{"q", named_json(joints(tree, config_count), q)}};
  return document.dump(2) + "\n";
}

std::string saved_text(const SavedState& saved, const Tree& tree, const std::string& scalar) {
  Json document = to_json({.owner = {},
                           .model = content_hash(tree),
                           .scalar = scalar,
                           .dt = saved.dt,
                           .step = saved.state.step,
                           .hash = saved.state.hash});
  const Named configs = joints(tree, config_count);
  document["q"] = named_json(configs, saved.state.q);
  document["v"] = named_json(joints(tree, dof_count), saved.state.v);
  document["held"] = named_json(configs, saved.state.held);
  if (!saved.state.kept.empty()) document["forces"] = kept_json(saved.state.kept);
  return document.dump(2) + "\n";
}

SavedState read_saved(const std::string& path, const Tree& tree, const std::string& scalar) {
  const Json document = read_json(path, "a saved state");
  const JsonFields fields(document, path,
                          {"model", "scalar", "dt", "step", "hash", "q", "v", "held", "forces"});
  const SavedHead head =
      read_head(fields, path, {.owner = "robot", .model = content_hash(tree), .scalar = scalar});
  SavedState saved = {.state = rest_state(tree), .dt = head.dt};
  saved.state.step = head.step;
  saved.state.hash = head.hash;
  const Named configs = joints(tree, config_count);
  read_all_named(fields, "q", configs, saved.state.q);
  read_all_named(fields, "v", joints(tree, dof_count), saved.state.v);
  read_all_named(fields, "held", configs, saved.state.held);
  saved.state.kept = read_kept(fields);
  return saved;
}

}  // namespace lockstep::host
