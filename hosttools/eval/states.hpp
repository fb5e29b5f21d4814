// A file of states, in the format of the conformance data: joints by name in the file's own order,
// and per state q, qd, tau, then the answers qdd and reaction. Joints that follow others by
// couplings may be left out: they get their share of q, qd and qdd, and no tau. Extensions: a state
// may hold `external`, a wrench per joint on the link it carries (force, moment, in link axes at
// the link's origin), and its own `gravity`. Every error names the file, the state and the joint.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/tree.hpp"
#include "oracle/dense.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

// A state in the model's order, with the answers that the file already held.
struct State {
  DenseInput in;
  std::optional<Eigen::VectorXd> vdot;
  std::optional<Matrix6Xd> reaction;
  std::optional<Eigen::VectorXd> constraint_force, constraint_generalized_force;
};

class StatesFile {
 public:
  // Throws Error when the file cannot be read or its joints are not the tree's.
  StatesFile(std::string path, const Tree& tree);

  std::size_t size() const { return states().size(); }
  State state(std::size_t index) const;
  void set_answer(std::size_t index, const DenseOutput& answer);
  // Of loops and couplings, beside the answer: over the joints' velocities, and by constraint.
  void set_generalized_force(std::size_t index, const Eigen::VectorXd& generalized);
  void set_constraint_force(std::size_t index, const Eigen::VectorXd& force);

  // Of bounds: any further answer, under a name of its own.
  void set_more(std::size_t index, const char* key, Json answer) {
    at(index)[key] = std::move(answer);
  }

  // The file with the answers, and with the name of who gave them.
  std::string text(const std::string& generator) const;

  // "FILE: state 3", the opening of every message about a state.
  std::string where(std::size_t index) const;

 private:
  // Where a joint's numbers stand, in the file and in the model.
  struct Joint {
    std::string name;
    JointType type = JointType::kRevolute;
    Eigen::Index body = 0;
    Eigen::Index file_q = 0, file_v = 0, model_q = 0, model_v = 0;
  };

  // A joint that is not listed: what a coupling makes of it.
  struct Follower {
    struct Leader {
      Eigen::Index model_q, model_v;
      double share;
    };
    Eigen::Index model_q = 0, model_v = 0;
    double offset = 0;
    std::vector<Leader> leaders;
  };

  const Json& states() const { return document_.at("states"); }
  Json& at(std::size_t index) { return document_.at("states")[index]; }
  void find_joints(const Tree& tree);
  void find_followers(const Tree& tree);
  Eigen::Vector3d gravity(const Json& holder, const std::string& prefix) const;
  Eigen::VectorXd coordinates(std::size_t index, const char* key) const;
  Eigen::VectorXd velocities(std::size_t index, const char* key) const;
  Eigen::VectorXd followed_velocities(std::size_t index, const char* key) const;
  Eigen::VectorXd plain_numbers(std::size_t index, const char* key) const;
  Json to_velocities(const Eigen::VectorXd& model) const;
  Matrix6Xd wrenches(std::size_t index, const char* key) const;
  void normalize(std::size_t index, Eigen::VectorXd& q) const;

  std::string path_;
  Json document_;
  std::vector<Joint> joints_;        // in the file's order
  std::vector<Follower> followers_;  // leaders first
  Eigen::Index bodies_ = 0;
  Eigen::Index configs_ = 0, dofs_ = 0;
  Eigen::Vector3d gravity_ = {0, 0, -9.81};
};

}  // namespace lockstep::host
