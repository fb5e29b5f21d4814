#include "model/coordinate_names.hpp"

namespace lockstep::host {

namespace {

using Parts = std::vector<std::string>;

Parts config_parts(JointType joint) {
  switch (joint) {
    case JointType::kRevolute:
    case JointType::kPrismatic: return {""};
    case JointType::kBall: return {".qx", ".qy", ".qz", ".qw"};
    case JointType::kPlanar: return {".x", ".y", ".angle"};
    case JointType::kFloating: return {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"};
  }
  return {};
}

Parts dof_parts(JointType joint) {
  switch (joint) {
    case JointType::kRevolute:
    case JointType::kPrismatic: return {""};
    case JointType::kBall: return {".wx", ".wy", ".wz"};
    case JointType::kPlanar: return {".vx", ".vy", ".wz"};
    case JointType::kFloating: return {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  }
  return {};
}

std::vector<std::string> names(const Tree& tree, Parts (*parts)(JointType)) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    for (const std::string& part : parts(tree.bodies[i].joint)) {
      result.push_back(tree.joint_names[i] + part);
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> config_names(const Tree& tree) { return names(tree, config_parts); }
std::vector<std::string> dof_names(const Tree& tree) { return names(tree, dof_parts); }

}  // namespace lockstep::host
