// A second, small reader of URDF, so that the facts about our models do not rest on the reader of
// the tool. It takes well-formed files only: ours.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::test {

struct Inertial {
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      // in the link
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about com, in link axes
};

struct UrdfLink {
  std::string name;
  std::optional<Inertial> inertial;
};

struct UrdfJoint {
  std::string name, type, parent, child;
  Eigen::Isometry3d X_PJ = Eigen::Isometry3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  std::optional<double> lower, upper;
};

using Angles = std::map<std::string, double>;  // by joint, zero where not named; no ball joints

struct UrdfFile {
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;

  const UrdfLink& link(const std::string& name) const;
  const UrdfJoint* joint_above(const std::string& link) const;  // none above the root

  // X_WL of a link, the root's frame being the world's
  Eigen::Isometry3d pose(const std::string& link, const Angles& q = {}) const;

  // the named links, or the whole robot, as one rigid body in the world
  Inertial lump(const std::vector<std::string>& names, const Angles& q = {}) const;
  Inertial lump_all() const;
};

UrdfFile read_urdf_file(const std::string& path);

}  // namespace lockstep::test
