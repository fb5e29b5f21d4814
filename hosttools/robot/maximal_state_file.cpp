#include "robot/maximal_state_file.hpp"

#include "mechanism/named.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

// Brings quaternions to length one.
void normalize(const std::string& path, const Mechanism& mechanism, Eigen::VectorXd& x) {
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const auto size = static_cast<Eigen::Index>(pose_size(mechanism.bodies[i]));
    if (size >= 7) {
      host::normalize(x.segment<4>(at + 3), path + ": 'x': body " + quote(mechanism.body_names[i]));
    }
    at += size;
  }
}

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

MaximalState initial_state(const Mechanism& mechanism) {
  MaximalState state;
  state.x = to_vector(mechanism.x0);
  state.v = to_vector(mechanism.v0);
  return state;
}

MaximalState read_start(const std::string& path, const Mechanism& mechanism) {
  const Json document = read_json(path, "a state");
  const JsonFields fields(document, path, {"x", "v"});
  MaximalState state = initial_state(mechanism);
  read_named(fields, "x", named_poses(mechanism), state.x);
  read_named(fields, "v", named_velocities(mechanism), state.v);
  normalize(path, mechanism, state.x);
  return state;
}

std::string saved_text(const MaximalState& state, const Mechanism& mechanism, SavedHead own) {
  own.dt = state.dt, own.step = state.step, own.hash = state.hash;
  Json document = to_json(own);
  document["x"] = named_json(named_poses(mechanism), state.x);
  document["v"] = named_json(named_velocities(mechanism), state.v);
  document["held"] = std::vector<double>(state.held.begin(), state.held.end());
  write_kept(state.kept, document);
  return document.dump(2) + "\n";
}

void read_saved(const std::string& path, const Mechanism& mechanism, const SavedHead& own,
                MaximalState& state) {
  const Json document = read_json(path, "a saved state");
  const JsonFields fields(document, path,
                          {"model", "scalar", "dt", "step", "hash", "x", "v", "held", "forces"});
  const SavedHead head = read_head(fields, path, own);
  state.dt = head.dt, state.step = head.step, state.hash = head.hash;
  read_all_named(fields, "x", named_poses(mechanism), state.x);
  read_all_named(fields, "v", named_velocities(mechanism), state.v);
  const Json* held = fields.find("held");
  if (held == nullptr) throw Error(path + ": has no 'held'; give a file that --save wrote");
  bool fits = held->is_array() && held->size() == static_cast<std::size_t>(state.held.size());
  for (std::size_t i = 0; fits && i < held->size(); ++i) {
    fits = (*held)[i].is_number();
    if (fits) state.held[static_cast<Eigen::Index>(i)] = (*held)[i].get<double>();
  }
  if (!fits) fields.refuse("held", "a file that --save wrote");
  state.kept = read_kept(fields);
}

}  // namespace lockstep::host
