#include "model/rotor_map.hpp"

#include <unordered_map>

#include "lockstep/passes.hpp"

namespace lockstep::host {

using Eigen::Index;
using Eigen::VectorXd;

RotorMap::RotorMap(const Tree& whole, const Tree& merged) : bodies_(merged.bodies) {
  std::vector<Counts> first;
  std::unordered_map<std::string, int> left;
  for (const Body& body : merged.bodies) {
    left.emplace(merged.joint_names[first.size()], static_cast<int>(first.size()));
    first.push_back(merged_);
    merged_.add(body.joint);
  }
  std::unordered_map<std::string, Rotor> rotors;
  for (std::size_t i = 0; i < merged.rotors.size(); ++i) {
    rotors.emplace(merged.rotor_names[i], merged.rotors[i]);
  }
  for (std::size_t i = 0; i < whole.bodies.size(); ++i) {
    const std::string& name = whole.joint_names[i];
    Joint joint = {.body = whole.bodies[i], .q = whole_.q, .v = whole_.v};
    if (const auto found = rotors.find(name); found != rotors.end()) {
      joint.is_rotor = true;
      joint.ratio = found->second.ratio, joint.offset = found->second.offset;
      joint.merged = found->second.body;
    } else {
      joint.merged = left.at(name);
    }
    const auto body = static_cast<std::size_t>(joint.merged);
    joint.merged_q = first[body].q, joint.merged_v = first[body].v;
    joints_.push_back(joint);
    whole_.add(whole.bodies[i].joint);
  }
}

VectorXd RotorMap::merged_q(const VectorXd& whole) const {
  VectorXd result(merged_.q);
  for (const Joint& joint : joints_) {
    const Index count = config_count(joint.body.joint);
    if (!joint.is_rotor) result.segment(joint.merged_q, count) = whole.segment(joint.q, count);
  }
  return result;
}

VectorXd RotorMap::merged_v(const VectorXd& whole) const {
  VectorXd result(merged_.v);
  for (const Joint& joint : joints_) {
    const Index count = dof_count(joint.body.joint);
    if (!joint.is_rotor) result.segment(joint.merged_v, count) = whole.segment(joint.v, count);
  }
  return result;
}

VectorXd RotorMap::merged_tau(const VectorXd& whole) const {
  VectorXd result = merged_v(whole);
  for (const Joint& joint : joints_) {
    if (joint.is_rotor) result[joint.merged_v] += joint.ratio * whole[joint.v];
  }
  return result;
}

VectorXd RotorMap::whole_q(const VectorXd& merged) const {
  VectorXd result(whole_.q);
  for (const Joint& joint : joints_) {
    const Index count = config_count(joint.body.joint);
    result.segment(joint.q, count) = merged.segment(joint.merged_q, count);
    if (joint.is_rotor) result[joint.q] = joint.ratio * merged[joint.merged_q] + joint.offset;
  }
  return result;
}

VectorXd RotorMap::whole_v(const VectorXd& merged) const {
  VectorXd result(whole_.v);
  for (const Joint& joint : joints_) {
    const Index count = dof_count(joint.body.joint);
    result.segment(joint.v, count) = joint.ratio * merged.segment(joint.merged_v, count);
  }
  return result;
}

VectorXd RotorMap::whole_tau(const VectorXd& merged) const {
  VectorXd result = VectorXd::Zero(whole_.v);
  for (const Joint& joint : joints_) {
    const Index count = joint.is_rotor ? 0 : dof_count(joint.body.joint);
    result.segment(joint.v, count) = merged.segment(joint.merged_v, count);
  }
  return result;
}

Matrix6Xd RotorMap::whole_columns(const Matrix6Xd& merged) const {
  Matrix6Xd result = Matrix6Xd::Zero(6, static_cast<Index>(joints_.size()));
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!joints_[i].is_rotor) result.col(static_cast<Index>(i)) = merged.col(joints_[i].merged);
  }
  return result;
}

// A rotor's wrench is the parent's, but for the moment about the axis, which the gear takes too.
void RotorMap::carry_wrench(const Joint& rotor, const DenseInput& whole, DenseInput& merged) const {
  const auto index = static_cast<Index>(&rotor - joints_.data());
  const BodyData<double> body = to_body_data<double>(rotor.body, {});
  const Spatial<double> wrench = link_to_body(body, whole.external.col(index).data());
  merged.tau[rotor.merged_v] += rotor.ratio * wrench.angular.z;
  const int parent = bodies_[static_cast<std::size_t>(rotor.merged)].parent;
  if (parent == kWorld) return;
  const Spatial<double> above = wrench_to_parent(
      place_body<JointType::kRevolute>(body.X_PJ, whole.q.data() + rotor.q), wrench);
  const Mat3<double> R_LB = to_body_data<double>(bodies_[at(parent)], {}).R_LB;
  const Vec3<double> f = R_LB * above.linear, m = R_LB * above.angular;
  merged.external.col(parent) += Vector6d{{f.x, f.y, f.z, m.x, m.y, m.z}};
}

DenseInput RotorMap::to_merged(const DenseInput& whole) const {
  DenseInput merged = rest(bodies_);
  merged.q = merged_q(whole.q);
  merged.v = merged_v(whole.v);
  merged.tau = merged_tau(whole.tau);
  merged.gravity = whole.gravity;
  for (const Joint& joint : joints_) {
    const auto index = static_cast<Index>(&joint - joints_.data());
    if (joint.is_rotor)
      carry_wrench(joint, whole, merged);
    else
      merged.external.col(joint.merged) += whole.external.col(index);
  }
  return merged;
}

}  // namespace lockstep::host
