// Small robots written down in code, for tests of what follows the reader.
#pragma once

#include <string>

#include "model/reduce.hpp"
#include "support/random.hpp"

namespace lockstep::test {

using host::Description;
using host::JointDescription;
using host::LinkDescription;
using host::UrdfJoint;

inline Eigen::Matrix3d diagonal(double x, double y, double z) {
  return Eigen::Vector3d(x, y, z).asDiagonal();
}

// Adds links and joints in the order of a file.
struct Robot {
  Description description{.file = "robot.urdf", .name = "robot", .links = {}, .joints = {}};

  LinkDescription& link(const std::string& name) {
    description.links.push_back({.name = name});
    return description.links.back();
  }
  LinkDescription& heavy_link(const std::string& name) {
    LinkDescription& added = link(name);
    added.mass = 2;
    added.com = {0.1, 0.2, 0.3};
    added.inertia = diagonal(0.02, 0.03, 0.04);
    return added;
  }
  JointDescription& joint(const std::string& name, UrdfJoint type, const std::string& parent,
                          const std::string& child) {
    JointDescription added;
    added.name = name;
    added.type = type;
    added.parent_link = parent;
    added.child_link = child;
    description.joints.push_back(added);
    return description.joints.back();
  }

  host::Tree fixed() const { return host::reduce(description, {}); }
  host::Tree floating() const {
    return host::reduce(description, {.base = host::ReduceOptions::Base::kFloating});
  }
};

// Links l0 l1 ..., each on an earlier one by a random joint, with random mass properties that real
// bodies can have. Every third joint is fixed.
inline Robot random_robot(std::uint64_t seed, int links) {
  Random random(seed);
  Robot robot;
  for (int i = 0; i < links; ++i) {
    LinkDescription& link = robot.link("l" + std::to_string(i));
    link.mass = random.uniform(0.1, 5);
    link.com = random.vector(0.5);
    // second moments of a cloud of mass: any three numbers, along any axes
    const Eigen::Matrix3d Q = random.rotation().toRotationMatrix();
    const Eigen::Matrix3d moments =
        Q * diagonal(random.uniform(0.01, 1), random.uniform(0.01, 1), random.uniform(0.01, 1)) *
        Q.transpose();
    link.inertia = moments.trace() * Eigen::Matrix3d::Identity() - moments;
    if (i == 0) continue;
    constexpr UrdfJoint kTypes[] = {UrdfJoint::kRevolute,  UrdfJoint::kContinuous,
                                    UrdfJoint::kPrismatic, UrdfJoint::kPlanar,
                                    UrdfJoint::kBall,      UrdfJoint::kFloating};
    const UrdfJoint type = i % 3 == 0 ? UrdfJoint::kFixed : kTypes[random.below(6)];
    JointDescription& joint = robot.joint("j" + std::to_string(i), type,
                                          "l" + std::to_string(random.below(i)), link.name);
    joint.R_PJ = random.rotation().toRotationMatrix();
    joint.p_PJ = random.vector(1);
    joint.axis = random.vector(1).normalized();
  }
  return robot;
}

using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

inline Eigen::Matrix3d matrix(const std::array<double, 9>& rows) {
  return Eigen::Map<const RowMajor3d>(rows.data());
}
inline Eigen::Vector3d vector(const std::array<double, 3>& v) {
  return Eigen::Map<const Eigen::Vector3d>(v.data());
}

inline int index_of(const std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

// The message of the Error that reducing must throw.
inline std::string refusal(const Robot& robot, const host::ReduceOptions& options = {}) {
  try {
    host::reduce(robot.description, options);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace lockstep::test
