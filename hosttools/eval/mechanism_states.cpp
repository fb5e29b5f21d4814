#include "eval/mechanism_states.hpp"

#include <memory>

#include "mechanism/named.hpp"
#include "mechanism/solver.hpp"
#include "sim/maximal_state_file.hpp"
#include "system/status_line.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

template <class T>
class Solver {
 public:
  explicit Solver(const Mechanism& mechanism)
      : mechanism_(mechanism),
        table_(to_table<T>(mechanism)),
        solver_(std::make_unique<HostLagrange<T>>(*table_)) {}

  // Adds the answers to a state. Throws Error with the reason alone.
  void answer(const std::string& where, Json& json) {
    const JsonFields fields(json, where,
                            {"x", "v", "force", "time", "gravity", "vdot", "lambda",
                             "position_error", "velocity_error"});
    sim::MaximalState start = sim::initial_state(mechanism_);
    Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(
        mechanism_.forces.data(), static_cast<Eigen::Index>(mechanism_.forces.size()));
    const Named velocities = named_velocities(mechanism_), rows = named_rows(mechanism_);
    read_named(fields, "x", named_poses(mechanism_), start.x);
    read_named(fields, "v", velocities, start.v);
    read_named(fields, "force", velocities, force);
    const Json* given = fields.find("gravity");
    const auto gravity =
        given == nullptr ? mechanism_.gravity : three_numbers(*given, fields.where("gravity"));

    auto state = solver_->make_state();
    auto loads = solver_->make_loads();
    auto out = solver_->make_solution();
    state.x = start.x.cast<T>();
    state.v = start.v.cast<T>();
    state.time = static_cast<T>(fields.number("time", 0));
    loads.force = force.cast<T>();
    for (int i = 0; i < 3; ++i) {
      loads.gravity[i] = static_cast<T>(gravity[static_cast<std::size_t>(i)]);
    }
    Status status = solver_->factor(state);
    if (status == Status::kOk) status = solver_->accelerations(state, loads, out);
    if (status != Status::kOk) throw Error(where + ": " + to_string(status));
    json["vdot"] = named_json(velocities, out.v.template cast<double>());
    json["lambda"] = named_json(rows, out.lambda.template cast<double>());
    json["position_error"] = named_json(rows, solver_->position_errors().template cast<double>());
    json["velocity_error"] = named_json(rows, solver_->velocity_errors().template cast<double>());
  }

 private:
  const Mechanism& mechanism_;
  std::unique_ptr<HostMechanism<T>> table_;
  std::unique_ptr<HostLagrange<T>> solver_;
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
