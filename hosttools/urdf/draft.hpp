// What a file says, element by element and with its lines, before it is known to make sense.
// Values that cannot be read are absent and have a finding.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/devices/drive_figures.hpp"
#include "text/finding.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

using Triple = std::array<double, 3>;

struct DraftPose {
  Triple xyz = {};
  Triple rpy = {};
  int line = 0;
};

struct DraftAxis {
  std::optional<Triple> xyz;
  int line = 0;
};

struct DraftInertial {
  DraftPose origin;
  std::optional<double> mass;
  std::optional<std::array<double, 6>> inertia;  // xx xy xz yy yz zz
  int mass_line = 0;
  int inertia_line = 0;
};

enum class Geometry { kSphere, kBox, kCylinder, kCapsule, kMesh };

struct DraftCollision {
  std::string name;  // may be empty
  DraftPose origin;
  std::optional<Geometry> geometry;
  std::optional<double> radius, length;  // of what is round
  std::optional<Triple> size;            // of a box
  std::string mesh;                      // its file, as written
  Triple scale = {1, 1, 1};
  std::optional<double> friction, restitution;
  int line = 0, geometry_line = 0, contact_line = 0;
};

struct DraftLink {
  std::string name;
  std::optional<DraftInertial> inertial;
  std::vector<DraftCollision> collisions;
  int line = 0;
};

// The name of another element, and where it is written.
struct Reference {
  std::string name;
  int line = 0;
};

struct DraftJoint {
  std::string name;
  std::optional<UrdfJoint> type;
  Reference parent, child;  // links
  DraftPose origin;
  DraftAxis axis;
  std::optional<LimitDescription> limits;
  int limits_line = 0;
  double damping = 0, friction = 0, armature = 0;
  double stiffness = 0, rest = 0;  // spring_stiffness, spring_reference
  int dynamics_line = 0;
  std::optional<MimicDescription> mimic;
  int mimic_line = 0;
  bool independent = true;
  int line = 0;

  std::string label() const { return "joint " + quote(name); }
};

// Of rows that yield; neither given: they do not.
struct DraftSoftness {
  std::optional<double> stiffness, damping;

  bool yields() const { return stiffness.value_or(0) != 0 || damping.value_or(0) != 0; }
};

struct DraftLoopEnd {
  Reference link;
  DraftPose origin;
};

struct DraftLoop {
  std::string name;
  std::optional<maximal::ConstraintType> type;
  DraftLoopEnd predecessor, successor;
  DraftAxis axis;
  DraftSoftness soft;
  std::optional<double> length;  // of a rod
  int length_line = 0;           // 0: not given
  int line = 0;

  std::string label() const { return "loop " + quote(name); }
};

struct DraftCoupling {
  std::string name;
  Reference predecessor, successor;  // links
  DraftSoftness soft;
  double ratio = 1;
  int ratio_line = 0;
  int line = 0;

  std::string label() const { return "coupling " + quote(name); }
};

// Two links whose shapes may or may not meet.
struct DraftLinkPair {
  Reference a, b;
  int line = 0;
};

// What a simulator's element says about a link.
struct DraftFriction {
  std::string link;
  double friction = 0;
};

// A motor and what is between it and a joint.
struct DraftDrivetrain {
  Reference joint;
  double delay = 0;  // s
  MotorFigures motor;
  GearFigures gear;
  int line = 0;

  std::string label() const { return "drivetrain of joint " + quote(joint.name); }
  // Without a spring the rotor turns with the joint.
  bool is_rigid() const { return gear.stiffness == 0; }
};

struct DraftEncoder {
  Reference joint;
  bool at_motor = false, differentiates = false;
  std::optional<double> counts, resolution;  // a turn of its side; rad or m of its side
  double offset = 0, noise = 0, time_constant = 0;
  int line = 0;

  std::string label() const { return "encoder of joint " + quote(joint.name); }
};

struct DraftImu {
  std::string name;
  Reference link;
  DraftPose origin;
  double force_noise = 0, rate_noise = 0, force_resolution = 0, rate_resolution = 0;
  Triple force_offset = {}, rate_offset = {};
  int line = 0;

  std::string label() const { return "imu " + quote(name); }
};

struct DraftForceTorque {
  Reference joint;
  double force_noise = 0, torque_noise = 0, force_resolution = 0, torque_resolution = 0;
  int line = 0;

  std::string label() const { return "force_torque of joint " + quote(joint.name); }
};

struct DraftSensors {
  double seed = 0;
  int line = 0;
  std::vector<DraftEncoder> encoders;
  std::vector<DraftImu> imus;
  std::vector<DraftForceTorque> force_torques;
};

struct Draft {
  std::string name;
  std::vector<DraftLink> links;
  std::vector<DraftJoint> joints;
  std::vector<DraftLoop> loops;
  std::vector<DraftCoupling> couplings;
  std::vector<DraftLinkPair> contact_pairs, disabled_pairs;
  std::vector<DraftFriction> frictions;
  std::vector<DraftDrivetrain> drivetrains;
  DraftSensors sensors;
};

// Names in files and in urdfdom's words, one row per joint type.
struct JointTypeName {
  const char* name;
  const char* urdfdom;  // ball joints are an extension: six free coordinates are closest
  UrdfJoint type;
};
inline constexpr JointTypeName kJointTypeNames[] = {
    {"fixed", "fixed", UrdfJoint::kFixed},
    {"revolute", "revolute", UrdfJoint::kRevolute},
    {"continuous", "continuous", UrdfJoint::kContinuous},
    {"prismatic", "prismatic", UrdfJoint::kPrismatic},
    {"planar", "planar", UrdfJoint::kPlanar},
    {"floating", "floating", UrdfJoint::kFloating},
    {"ball", "floating", UrdfJoint::kBall},
    {"spherical", "floating", UrdfJoint::kBall},
};

struct LoopTypeName {
  const char* name;
  maximal::ConstraintType type;
};
inline constexpr LoopTypeName kLoopTypeNames[] = {
    {"fixed", maximal::ConstraintType::kFixed},
    {"revolute", maximal::ConstraintType::kRevolute},
    {"continuous", maximal::ConstraintType::kRevolute},
    {"prismatic", maximal::ConstraintType::kPrismatic},
    {"planar", maximal::ConstraintType::kPlanar},
    {"ball", maximal::ConstraintType::kBall},
    {"spherical", maximal::ConstraintType::kBall},
    {"cylindrical", maximal::ConstraintType::kCylindrical},
    {"universal", maximal::ConstraintType::kUniversal},
    {"point_on_line", maximal::ConstraintType::kPointOnLine},
    {"point_on_plane", maximal::ConstraintType::kPointOnPlane},
    {"distance", maximal::ConstraintType::kDistance},
};

constexpr bool has_one_coordinate(UrdfJoint type) {
  return type == UrdfJoint::kRevolute || type == UrdfJoint::kContinuous ||
         type == UrdfJoint::kPrismatic;
}
constexpr bool has_axis(UrdfJoint type) {
  return type == UrdfJoint::kRevolute || type == UrdfJoint::kContinuous ||
         type == UrdfJoint::kPrismatic || type == UrdfJoint::kPlanar;
}
// The others mean the axes of their frames as they are.
constexpr bool has_axis(maximal::ConstraintType type) {
  return type != maximal::ConstraintType::kFixed && type != maximal::ConstraintType::kBall &&
         type != maximal::ConstraintType::kUniversal && type != maximal::ConstraintType::kDistance;
}
constexpr bool has_limits(UrdfJoint type) {
  return type == UrdfJoint::kRevolute || type == UrdfJoint::kPrismatic;
}

}  // namespace lockstep::host
