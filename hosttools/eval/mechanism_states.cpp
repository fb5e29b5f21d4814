#include "eval/mechanism_states.hpp"

#include <memory>

#include "mechanism/named.hpp"
#include "robot/maximal_state_file.hpp"
#include "robot/mechanism_robot.hpp"
#include "system/status_line.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

// Adds the answers to a state. Throws Error.
template <class T>
void answer(const Mechanism& mechanism, const std::string& where, MechanismRobot<T>& robot,
            Json& json) {
  const JsonFields fields(
      json, where,
      {"x", "v", "force", "time", "gravity", "vdot", "lambda", "position_error", "velocity_error"});
  MaximalState start = initial_state(mechanism);
  Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(
      mechanism.forces.data(), static_cast<Eigen::Index>(mechanism.forces.size()));
  const Named velocities = named_velocities(mechanism), rows = named_rows(mechanism);
  read_named(fields, "x", named_poses(mechanism), start.x);
  read_named(fields, "v", velocities, start.v);
  read_named(fields, "force", velocities, force);
  const Json* given = fields.find("gravity");
  const auto gravity =
      given == nullptr ? mechanism.gravity : three_numbers(*given, fields.where("gravity"));
  robot.set(start.x, start.v);
  robot.state.time = static_cast<T>(fields.number("time", 0));
  robot.set_loads(force, gravity);
  const Status status = robot.solve();
  if (status != Status::kOk) throw Error(where + ": " + to_string(status));
  json["vdot"] = named_json(velocities, robot.out.v.template cast<double>());
  json["lambda"] = named_json(rows, robot.out.lambda.template cast<double>());
  const auto& solved = robot.solver();
  json["position_error"] = named_json(rows, solved.position_errors().template cast<double>());
  json["velocity_error"] = named_json(rows, solved.velocity_errors().template cast<double>());
}

template <class T>
MechanismAnswers answers(const Mechanism& mechanism, const std::string& path) {
  Json document = {{"states", Json::array({Json::object()})}};
  if (!path.empty()) document = read_json(path, "a file of states");
  const bool listed =
      document.is_object() && document.contains("states") && document["states"].is_array();
  if (!listed) throw Error(path + ": has no array 'states'; give {\"states\": [{\"x\": ...}]}");
  const auto robot = std::make_unique<MechanismRobot<T>>(mechanism);
  StatusLine status;
  const std::size_t count = document["states"].size();
  for (std::size_t i = 0; i < count; ++i) {
    status.show(
        [&] { return "eval: " + std::to_string(i) + " of " + std::to_string(count) + " states"; });
    answer(mechanism, (path.empty() ? mechanism.name : path) + ": state " + std::to_string(i),
           *robot, document["states"][i]);
  }
  return {document.dump(1) + "\n", count};
}

}  // namespace

MechanismAnswers eval_mechanism(const Mechanism& mechanism, const std::string& states,
                                EvalScalar scalar) {
  return scalar == EvalScalar::kFloat ? answers<float>(mechanism, states)
                                      : answers<double>(mechanism, states);
}

}  // namespace lockstep::host
