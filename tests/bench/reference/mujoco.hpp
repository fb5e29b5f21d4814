// A robot in MuJoCo, in its own coordinates: quaternions are w first, and a floating body's linear
// velocity is along the axes of the world.
#pragma once

#include <mujoco/mujoco.h>

#include "peer.hpp"

namespace reference {

class MuJoCo {
 public:
  // By MuJoCo's reader of URDF, or as MJCF where the file has ball joints, which that does not
  // know.
  explicit MuJoCo(const Robot& robot);

  // Poses, velocities, the mass matrix and bias forces; qacc is zero.
  void set(const State& state);

  Eigen::MatrixXd mass_matrix() const;
  Eigen::VectorXd bias() const;
  Eigen::VectorXd effort() const;
  Eigen::VectorXd velocity() const;

  // Between its coordinates and those of robot.hpp, at the state that was set.
  Eigen::VectorXd vdot_of(const Eigen::VectorXd& qacc) const;
  Eigen::VectorXd force_of(const Eigen::VectorXd& qfrc) const;
  Eigen::VectorXd q_of() const;
  Eigen::VectorXd v_of(const Eigen::VectorXd& qvel) const;

  // Moves the pose along a velocity, for a second.
  void move(const Eigen::VectorXd& qvel);

  const Robot& robot() const { return robot_; }
  const mjModel* model() const { return model_.get(); }
  mjData* data() const { return data_.get(); }
  int body(int i) const { return i < 0 ? 0 : bodies_[static_cast<std::size_t>(i)]; }
  int dof(int i) const { return model_->jnt_dofadr[joints_[static_cast<std::size_t>(i)]]; }
  int config(int i) const { return model_->jnt_qposadr[joints_[static_cast<std::size_t>(i)]]; }

 private:
  Eigen::Matrix3d base_rotation() const;

  Robot robot_;
  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
  std::vector<int> joints_, bodies_;  // MuJoCo's numbers
};

}  // namespace reference
