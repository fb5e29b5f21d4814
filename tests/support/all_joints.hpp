// A tree of every type of joint, springs and rotors included, as the tool would generate it.
#pragma once

#include <array>
#include <string_view>

#include "lockstep/model.hpp"

namespace lockstep::test {

constexpr Body branch(int parent, JointType joint) {
  return {.parent = parent,
          .joint = joint,
          .R_PJ = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1},
          .p_PJ = {0.3, -0.1, 0.2},
          .mass = 1.5,
          .h = {0.1, 0.2, -0.1},
          .inertia = {0.5, 0.01, 0.02, 0.4, -0.03, 0.6},
          .damping = 0.1,
          .stiffness = dof_count(joint) == 1 ? 7.0 : 0.0,
          .rest = 0.3,
          .armature = dof_count(joint) == 1 ? 0.2 : 0.0};
}
struct AllJoints {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 5> kBodies = {
      branch(kWorld, JointType::kFloating), branch(0, JointType::kBall),
      branch(1, JointType::kPlanar), branch(0, JointType::kPrismatic),
      branch(3, JointType::kRevolute)};
  static constexpr std::array<NamedFrame, 1> kFrames = {{{.body = 2, .p_BF = {0.1, 0.2, 0.3}}}};
  static constexpr std::array<std::string_view, 1> kFrameNames = {"tool"};
};

}  // namespace lockstep::test
