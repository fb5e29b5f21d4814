// A robot as its file describes it, in document order, before anything is lumped or ordered.
// Frames and units as in URDF: SI, radians, X_PJ is the joint's <origin> in the parent link.
#pragma once

#include <Eigen/Geometry>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/contact/records.hpp"
#include "lockstep/maximal/catalogue.hpp"
#include "lockstep/spatial.hpp"

namespace lockstep::host {

// A shape S on a link L, sizes as in contact::Shape.
struct CollisionDescription {
  std::string name;  // its own, or empty
  contact::ShapeType type = contact::ShapeType::kSphere;
  Eigen::Matrix3d R_LS = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LS = Eigen::Vector3d::Zero();
  Eigen::Vector3d half = Eigen::Vector3d::Zero();
  double radius = 0;
  std::vector<Vec3<double>> points = {};
  double friction = 0;
  double restitution = 0;
  int line = 0;
};

struct LinkDescription {
  std::string name;
  double mass = 0;                                    // kg
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      // m, in the link frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m^2, about com, in link axes
  int line = 0;                                       // in the file
  std::vector<CollisionDescription> collisions = {};
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
  double armature = 0;
  double stiffness = 0, rest = 0;  // of a spring
  std::optional<LimitDescription> limits;
  std::optional<MimicDescription> mimic;
  bool independent = true;  // a coordinate that users want to see and actuate
  int line = 0;
};

// Two frames that a closed loop holds together, up to the freedom of its type.
struct LoopEnd {
  std::string link;
  Eigen::Matrix3d R_LF = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LF = Eigen::Vector3d::Zero();
};
struct LoopDescription {
  std::string name;
  maximal::ConstraintType type = maximal::ConstraintType::kRevolute;
  LoopEnd predecessor, successor;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  // unit length, in both frames
  double length = 0;                                // m, of a rod between the frames' origins
  double stiffness = 0, damping = 0;                // of rows that yield; both zero: they do not
  int line = 0;
};

// The joints from the nearest common ancestor to the successor, summed, turn `ratio` times as far
// as those to the predecessor.
struct CouplingDescription {
  std::string name;
  std::string predecessor, successor;  // links
  double ratio = 1;
  double stiffness = 0, damping = 0;  // as of a loop
  int line = 0;
};

// Two links.
struct LinkPairDescription {
  std::string a, b;
  int line = 0;
};

struct Description {
  std::string file;  // as the user named it, for messages
  std::string name;  // <robot name="...">
  std::vector<LinkDescription> links;
  std::vector<JointDescription> joints;
  std::vector<LoopDescription> loops = {};
  std::vector<CouplingDescription> couplings = {};
  std::vector<LinkPairDescription> contact_pairs = {};   // shapes that may meet in any case
  std::vector<LinkPairDescription> disabled_pairs = {};  // and in none
};

}  // namespace lockstep::host
