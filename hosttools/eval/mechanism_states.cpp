#include "eval/mechanism_states.hpp"

#include <memory>

#include "error.hpp"
#include "mechanism/named.hpp"
#include "robot/maximal_state_file.hpp"
#include "robot/mechanism_robot.hpp"
#include "status_line.hpp"

namespace lockstep::host {

namespace {

template <class T>
class Solver {
 public:
  explicit Solver(const Mechanism& mechanism)
      : mechanism_(mechanism), robot_(std::make_unique<MechanismRobot<T>>(mechanism)) {}

  // Adds the answers to a state. Throws Error with the reason alone.
  void answer(const std::string& where, Json& json) {
    const JsonFields fields(json, where,
                            {"x", "v", "force", "time", "gravity", "vdot", "lambda",
                             "position_error", "velocity_error"});
    MaximalState start = initial_state(mechanism_);
    Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(
        mechanism_.forces.data(), static_cast<Eigen::Index>(mechanism_.forces.size()));
    const Named velocities = named_velocities(mechanism_), rows = named_rows(mechanism_);
    read_named(fields, "x", named_poses(mechanism_), start.x);
    read_named(fields, "v", velocities, start.v);
    read_named(fields, "force", velocities, force);
    const Json* given = fields.find("gravity");
    const auto gravity =
        given == nullptr ? mechanism_.gravity : three_numbers(*given, fields.where("gravity"));
    robot_->set(start.x, start.v, fields.number("time", 0));
    robot_->set_loads(force, gravity);
    const Status status = robot_->solve();
    if (status != Status::kOk) throw Error(where + ": " + to_string(status));
    json["vdot"] = named_json(velocities, robot_->accelerations());
    json["lambda"] = named_json(rows, robot_->multipliers());
    json["position_error"] = named_json(rows, robot_->position_errors());
    json["velocity_error"] = named_json(rows, robot_->velocity_errors());
  }

 private:
  const Mechanism& mechanism_;
  std::unique_ptr<MechanismRobot<T>> robot_;
};

template <class T>
MechanismAnswers answers(const Mechanism& mechanism, const std::string& path) {
  Json document = {{"states", Json::array({Json::object()})}};
  if (!path.empty()) document = read_json(path, "a file of states");
  const bool listed =
      document.is_object() && document.contains("states") && document["states"].is_array();
  if (!listed) throw Error(path + ": has no array 'states'; give {\"states\": [{\"x\": ...}]}");
  Solver<T> solver(mechanism);
  StatusLine status;
  const std::size_t count = document["states"].size();
  for (std::size_t i = 0; i < count; ++i) {
    status.show(
        [&] { return "eval: " + std::to_string(i) + " of " + std::to_string(count) + " states"; });
    solver.answer((path.empty() ? mechanism.name : path) + ": state " + std::to_string(i),
                  document["states"][i]);
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
