#include "eval/states.hpp"

#include <algorithm>
#include <unordered_map>

#include "lockstep/body_data.hpp"
#include "system/named_numbers.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

std::string of_joint(const std::string& name) { return "joint '" + name + "'"; }

// The joint's name, from an object that holds it or from the name alone.
std::string name_of(const Json& joint, const std::string& path, std::size_t index) {
  if (joint.is_string()) return joint.get<std::string>();
  if (joint.is_object() && joint.contains("name") && joint["name"].is_string()) {
    return joint["name"].get<std::string>();
  }
  throw Error(path + ": joints[" + std::to_string(index) + "] has no name; add \"name\"");
}

}  // namespace

StatesFile::StatesFile(std::string path, const Tree& tree)
    : path_(std::move(path)), document_(read_json(path_, "a file of states")) {
  if (!document_.is_object()) throw Error(path_ + ": not an object with joints and states");
  if (!document_.contains("states") || !document_["states"].is_array()) {
    throw Error(path_ + ": has no array 'states'; see `lockstep eval --help` for the format");
  }
  find_joints(tree);
  gravity_ = gravity(document_, path_);
}

void StatesFile::find_joints(const Tree& tree) {
  struct Place {
    Eigen::Index body, q, v;
    bool listed = false;
  };
  std::unordered_map<std::string, Place> places;
  Eigen::Index at_q = 0, at_v = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    places.emplace(tree.joint_names[i], Place{static_cast<Eigen::Index>(i), at_q, at_v});
    at_q += config_count(tree.bodies[i].joint);
    at_v += dof_count(tree.bodies[i].joint);
  }

  const char* key = document_.contains("joints")               ? "joints"
                    : document_.contains("independent_joints") ? "independent_joints"
                                                               : "joint_order";
  if (!document_.contains(key) || !document_[key].is_array()) {
    throw Error(path_ + ": has no array 'joints' that names the joints in the order of q");
  }
  const Json& listed = document_[key];
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::string name = name_of(listed[i], path_, i);
    const auto found = places.find(name);
    if (found == places.end()) {
      throw Error(
          path_ + ": " + of_joint(name) + ": the robot has no such joint that moves; " +
          (name == "root_joint" ? "give --base floating" : "remove it or correct the name"));
    }
    Place& place = found->second;
    if (place.listed) throw Error(path_ + ": " + of_joint(name) + ": is listed twice; remove one");
    place.listed = true;
    const JointType type = tree.bodies[static_cast<std::size_t>(place.body)].joint;
    joints_.push_back({name, type, place.body, configs_, dofs_, place.q, place.v});
    configs_ += config_count(type);
    dofs_ += dof_count(type);
  }
  find_followers(tree);
}

void StatesFile::find_followers(const Tree& tree) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  bodies_ = static_cast<Eigen::Index>(tree.bodies.size());
  std::vector<bool> known(tree.bodies.size(), false);
  for (const Joint& joint : joints_) known[static_cast<std::size_t>(joint.body)] = true;
  std::vector<Counts> first;
  Counts counts;
  for (const Body& body : tree.bodies) first.push_back(counts), counts.add(body.joint);
  // a follower may lead others, in any order of the couplings
  for (bool found = true; found;) {
    found = false;
    for (const Coupling& coupling : tree.couplings) {
      const auto terms = terms_of(tree, coupling);
      const auto is_unknown = [&](const CouplingTerm& term) { return !known[at(term.body)]; };
      if (std::ranges::count_if(terms, is_unknown) != 1) continue;
      const CouplingTerm own = *std::ranges::find_if(terms, is_unknown);
      if (own.coefficient == 0) continue;
      Follower follower = {.model_q = first[at(own.body)].q,
                           .model_v = first[at(own.body)].v,
                           .offset = coupling.offset / own.coefficient,
                           .leaders = {}};
      for (const CouplingTerm& term : terms) {
        if (term.body == own.body) continue;
        follower.leaders.push_back(
            {first[at(term.body)].q, first[at(term.body)].v, -term.coefficient / own.coefficient});
      }
      followers_.push_back(std::move(follower));
      known[at(own.body)] = found = true;
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) continue;
    const bool base = tree.bodies[i].joint == JointType::kFloating && tree.bodies[i].parent < 0;
    throw Error(path_ + ": " + of_joint(tree.joint_names[i]) + ": moves but is not listed; " +
                (base ? "give --base fixed" : "add it to 'joints'"));
  }
}

std::string StatesFile::where(std::size_t index) const {
  return path_ + ": state " + std::to_string(index);
}

Eigen::Vector3d StatesFile::gravity(const Json& holder, const std::string& prefix) const {
  if (!holder.contains("gravity")) return gravity_;
  return Eigen::Vector3d(three_numbers(holder["gravity"], prefix + ": gravity").data());
}

namespace {

// One number a coordinate, the joints' one after the other. `place(joint, k)` is the coordinate's
// index in the model, `count(joint)` how many the joint has, `more` how many the file does not.
template <class Joints, class Count, class Start>
Eigen::VectorXd gather(const Json& state, const char* key, const std::string& where,
                       const Joints& joints, Eigen::Index total, Eigen::Index more, Count count,
                       Start start) {
  if (!state.is_object() || !state.contains(key)) {
    throw Error(where + ": has no '" + key + "'; give " + std::to_string(total) + " numbers");
  }
  const Json& values = state[key];
  if (!values.is_array() || static_cast<Eigen::Index>(values.size()) != total) {
    throw Error(where + ": '" + key + "' has " +
                (values.is_array() ? std::to_string(values.size()) : std::string("no")) +
                " numbers; the joints need " + std::to_string(total));
  }
  Eigen::VectorXd result = Eigen::VectorXd::Zero(total + more);
  std::size_t from = 0;
  for (const auto& joint : joints) {
    for (Eigen::Index k = 0; k < count(joint.type); ++k, ++from) {
      if (!values[from].is_number()) {
        throw Error(where + ": " + of_joint(joint.name) + ": '" + key + "' holds " +
                    values[from].dump() + "; give a number");
      }
      result[start(joint) + k] = values[from].get<double>();
    }
  }
  return result;
}

}  // namespace

Eigen::VectorXd StatesFile::coordinates(std::size_t index, const char* key) const {
  Eigen::VectorXd q = gather(states()[index], key, where(index), joints_, configs_,
                             static_cast<Eigen::Index>(followers_.size()), config_count,
                             [](const Joint& joint) { return joint.model_q; });
  for (const Follower& follower : followers_) {
    double& own = q[follower.model_q] = follower.offset;
    for (const auto& leader : follower.leaders) own += leader.share * q[leader.model_q];
  }
  return q;
}

Eigen::VectorXd StatesFile::velocities(std::size_t index, const char* key) const {
  return gather(states()[index], key, where(index), joints_, dofs_,
                static_cast<Eigen::Index>(followers_.size()), dof_count,
                [](const Joint& joint) { return joint.model_v; });
}

Eigen::VectorXd StatesFile::followed_velocities(std::size_t index, const char* key) const {
  Eigen::VectorXd v = velocities(index, key);
  for (const Follower& follower : followers_) {
    for (const auto& leader : follower.leaders) {
      v[follower.model_v] += leader.share * v[leader.model_v];
    }
  }
  return v;
}

Eigen::VectorXd StatesFile::plain_numbers(std::size_t index, const char* key) const {
  const Json& values = states()[index][key];
  Eigen::VectorXd result(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values.is_array() || !values[i].is_number()) {
      throw Error(where(index) + ": '" + key + "' needs numbers");
    }
    result[static_cast<Eigen::Index>(i)] = values[i].get<double>();
  }
  return result;
}

Matrix6Xd StatesFile::wrenches(std::size_t index, const char* key) const {
  const Json& values = states()[index][key];
  if (!values.is_array() || values.size() != joints_.size()) {
    throw Error(where(index) + ": '" + key + "' needs a wrench for each of the " +
                std::to_string(joints_.size()) + " joints");
  }
  Matrix6Xd result = Matrix6Xd::Zero(6, bodies_);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    bool fits = values[i].is_array() && values[i].size() == 6;
    for (std::size_t k = 0; fits && k < 6; ++k) {
      fits = values[i][k].is_number();
      if (fits) result(static_cast<Eigen::Index>(k), joints_[i].body) = values[i][k].get<double>();
    }
    if (!fits) {
      throw Error(where(index) + ": " + of_joint(joints_[i].name) + ": '" + key +
                  "' needs six numbers, force then moment");
    }
  }
  return result;
}

void StatesFile::normalize(std::size_t index, Eigen::VectorXd& q) const {
  for (const Joint& joint : joints_) {
    if (joint.type != JointType::kBall && joint.type != JointType::kFloating) continue;
    host::normalize(q.segment<4>(joint.model_q + config_count(joint.type) - 4),
                    where(index) + ": " + of_joint(joint.name));
  }
}

State StatesFile::state(std::size_t index) const {
  const Json& json = states()[index];
  State state;
  state.in.q = coordinates(index, "q");
  normalize(index, state.in.q);
  state.in.v = followed_velocities(index, "qd");
  state.in.tau = velocities(index, "tau");
  state.in.gravity = gravity(json, where(index));
  state.in.external = Matrix6Xd::Zero(6, bodies_);
  if (json.contains("external")) state.in.external = wrenches(index, "external");
  if (json.contains("qdd")) state.vdot = followed_velocities(index, "qdd");
  const bool whole = followers_.empty();
  if (whole && json.contains("reaction")) state.reaction = wrenches(index, "reaction");
  if (json.contains("constraint_force")) {
    state.constraint_force = plain_numbers(index, "constraint_force");
  }
  if (whole && json.contains("constraint_generalized_force")) {
    state.constraint_generalized_force = velocities(index, "constraint_generalized_force");
  }
  return state;
}

Json StatesFile::to_velocities(const Eigen::VectorXd& model) const {
  Json values = Json::array();
  for (const Joint& joint : joints_) {
    for (Eigen::Index k = 0; k < dof_count(joint.type); ++k) {
      values.push_back(model[joint.model_v + k]);
    }
  }
  return values;
}

void StatesFile::set_answer(std::size_t index, const DenseOutput& answer) {
  Json reaction = Json::array();
  for (const Joint& joint : joints_) {
    Json wrench = Json::array();
    for (Eigen::Index k = 0; k < 6; ++k) wrench.push_back(answer.reaction(k, joint.body));
    reaction.push_back(wrench);
  }
  at(index)["qdd"] = to_velocities(answer.vdot);
  at(index)["reaction"] = std::move(reaction);
  at(index).erase("rnea_residual_rel");  // spoke of the answers that were here before
}

void StatesFile::set_constraint_force(std::size_t index, const Eigen::VectorXd& force) {
  at(index)["constraint_force"] = std::vector<double>(force.begin(), force.end());
}

void StatesFile::set_generalized_force(std::size_t index, const Eigen::VectorXd& generalized) {
  at(index)["constraint_generalized_force"] = to_velocities(generalized);
  for (const char* key :
       {"residual_acceleration", "rel_residual_Qc_minus_JTlambda", "rel_diff_to_dense_KKT",
        "rel_residual_Qc_in_nullspace_of_G", "rel_power_of_Qc", "rel_energy_rate_error"}) {
    at(index).erase(key);
  }
}

std::string StatesFile::text(const std::string& generator) const {
  Json document = document_;
  for (const char* key : {"max_rnea_residual_rel", "max_checks", "cross_check",
                          "check_vs_pinocchio_mimic_model", "check_note"}) {
    document.erase(key);
  }
  document["generator"] = generator;
  // a joint or a state to a line: short enough to read, long enough to compare by line
  std::string text = "{";
  const char* comma = "\n";
  for (const auto& [key, value] : document.items()) {
    text += comma + Json(key).dump() + ":";
    comma = ",\n";
    const bool lines = value.is_array() && !value.empty() && value.front().is_object();
    if (!lines) {
      text += value.dump();
      continue;
    }
    const char* inner = "[\n ";
    for (const Json& element : value) {
      text += inner + element.dump();
      inner = ",\n ";
    }
    text += "\n]";
  }
  return text + "\n}\n";
}

}  // namespace lockstep::host
