// Between a robot with all its joints and the same robot with rotors merged: users speak of every
// joint, the solvers only of those that are left.
#pragma once

#include "lockstep/body_data.hpp"
#include "model/tree.hpp"
#include "oracle/world.hpp"

namespace lockstep::host {

class RotorMap {
 public:
  // `merged` is merge_rotors(whole), or `whole` itself.
  RotorMap(const Tree& whole, const Tree& merged);

  // What acts on rotors and on their joints acts on those that are left.
  DenseInput to_merged(const DenseInput& whole) const;
  Eigen::VectorXd merged_q(const Eigen::VectorXd& whole) const;
  Eigen::VectorXd merged_v(const Eigen::VectorXd& whole) const;
  Eigen::VectorXd merged_tau(const Eigen::VectorXd& whole) const;

  Eigen::VectorXd whole_q(const Eigen::VectorXd& merged) const;
  Eigen::VectorXd whole_v(const Eigen::VectorXd& merged) const;    // accelerations too
  Eigen::VectorXd whole_tau(const Eigen::VectorXd& merged) const;  // none at the rotors' joints
  bool is_rotor(Eigen::Index joint) const {
    return joints_[static_cast<std::size_t>(joint)].is_rotor;
  }
  // Columns of bodies; a rotor's is zero.
  Matrix6Xd whole_columns(const Matrix6Xd& merged) const;

 private:
  // A joint of the whole robot: itself, or the rotor behind another.
  struct Joint {
    Body body;
    bool is_rotor = false;
    double ratio = 1, offset = 0;
    Eigen::Index q = 0, v = 0;                            // in the whole
    Eigen::Index merged = 0, merged_q = 0, merged_v = 0;  // the body that is left, its joint's
  };
  void carry_wrench(const Joint& rotor, const DenseInput& whole, DenseInput& merged) const;

  std::vector<Joint> joints_;
  std::vector<Body> bodies_;  // that are left
  Counts whole_, merged_;
};

}  // namespace lockstep::host
