// A robot as plain numbers, for peers that read no URDF or not all of ours: <loop>, <coupling>,
// <mimic> and joints of type ball. The reader is the generator's own and takes well-formed files
// only: ours. Frames: L is a link as its file gives it, P the parent's, J the joint's place in P.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

namespace reference {

enum class JointType { kRevolute, kPrismatic, kBall, kFloating };

// Numbers of q and of v. Quaternions are x y z w; a floating joint has its position before it, and
// its twist is linear, then angular, in L.
int config_count(JointType type);
int dof_count(JointType type);

struct Inertial {
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();     // in L
  Eigen::Matrix3d moment = Eigen::Matrix3d::Zero();  // about com, in axes of L
};

// The same along the principal axes of inertia I.
struct Principal {
  Eigen::Matrix3d R_LI = Eigen::Matrix3d::Identity();
  Eigen::Vector3d moments = Eigen::Vector3d::Zero();
};
Principal principal(const Inertial& inertial);

// A link that moves, with all that fixed joints hold to it, and the joint above it.
struct Body {
  std::string joint, link;
  std::string type_name;  // as the file has it
  JointType type = JointType::kRevolute;
  int parent = -1;   // the world
  int q = 0, v = 0;  // where its numbers begin
  Eigen::Isometry3d X_PJ = Eigen::Isometry3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  // of length one, in J and in L
  Inertial inertial;
  double lower = -3, upper = 3;  // where the file has none: for angles drawn at random
  double effort = 0;             // none given
};

// Frames A and B, fixed to bodies, coincide up to the type's freedom; the axis is in both.
struct Loop {
  enum Type { kBall, kRevolute, kFixed } type = kBall;
  int a = -1, b = -1;
  Eigen::Isometry3d X_A = Eigen::Isometry3d::Identity(), X_B = X_A;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();

  // Axes of A and of B that stay at right angles; origins coincide besides.
  std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> right_angles() const;
};

// Sum of coefficient times q, over bodies, is the offset.
struct Coupling {
  std::vector<std::pair<int, double>> terms;
  double offset = 0;
};

struct Mimic {
  int follower = -1, leader = -1;
  double multiplier = 1, offset = 0;
};

struct Robot {
  std::string name, file;
  bool floating = false;
  std::vector<Body> bodies;  // parents first
  std::vector<Loop> loops;
  std::vector<Coupling> couplings;  // of the file, then of mimics
  std::vector<Mimic> mimics;

  bool closed() const { return !loops.empty() || !couplings.empty(); }
  bool has(JointType type) const;
  int configs() const;
  int dofs() const;
};

// Throws std::runtime_error with the file and the reason.
Robot read_robot(const std::string& file, bool floating);

// The file for other readers, which do not know all of our shapes and need none.
std::string text_without_shapes(const Robot& robot);

}  // namespace reference
