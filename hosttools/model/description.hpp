// A robot as its file describes it, in document order, before anything is lumped or ordered.
// Frames and units as in URDF: SI, radians, X_PJ is the joint's <origin> in the parent link.
#pragma once

#include <Eigen/Geometry>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::host {

struct LinkDescription {
  std::string name;
  double mass = 0;                                    // kg
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      // m, in the link frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m^2, about com, in link axes
  int line = 0;                                       // in the file
};

enum class UrdfJoint { kFixed, kRevolute, kContinuous, kPrismatic, kPlanar, kFloating, kBall };

struct LimitDescription {
  std::optional<double> lower, upper, velocity, effort;
};

struct MimicDescription {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
};

struct JointDescription {
  std::string name;
  UrdfJoint type = UrdfJoint::kFixed;
  std::string parent_link;
  std::string child_link;
  Eigen::Matrix3d R_PJ = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_PJ = Eigen::Vector3d::Zero();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  // unit length, in the joint frame
  double damping = 0;
  double friction = 0;
  std::optional<LimitDescription> limits;
  std::optional<MimicDescription> mimic;
  int line = 0;
};

struct Description {
  std::string file;  // as the user named it, for messages
  std::string name;  // <robot name="...">
  std::vector<LinkDescription> links;
  std::vector<JointDescription> joints;
};

}  // namespace lockstep::host
