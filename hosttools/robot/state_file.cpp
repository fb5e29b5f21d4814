#include "robot/state_file.hpp"

#include "model/content_hash.hpp"
#include "oracle/world.hpp"
#include "robot/saved_head.hpp"
#include "system/json_file.hpp"
#include "system/named_numbers.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

// Joints with their coordinates: config_count for q, dof_count for v.
Named joints(const Tree& tree, int (*count)(JointType)) {
  Named named = {.owner = "robot", .kind = "joint", .names = tree.joint_names, .sizes = {}};
  for (const Body& body : tree.bodies) named.sizes.push_back(count(body.joint));
  return named;
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
  write_kept(saved.state.kept, document);
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
