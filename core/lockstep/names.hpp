// Joints by name, so that nobody counts them: a joint's number is not its place in q or v where a
// ball, a plane or a floating base comes before it.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <optional>
#include <string_view>

#include "lockstep/model.hpp"

namespace lockstep {

// At run time: nothing where no joint has the name. Names and joints are lists of one length.
template <class Names, class Joints>
constexpr std::optional<JointIndex> find_joint(const Names& names, const Joints& joints,
                                               std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return joints[i];
  }
  return {};
}

// Never defined: a compiler that comes here while it looks up a name stops.
void the_model_has_no_joint_of_this_name();

// A joint of an emitted model by its name in the URDF, found while compiling. A floating base that
// the host tool put there is "root_joint".
template <EmittedModel Model>
consteval JointIndex joint_index(std::string_view name) {
  const std::optional<JointIndex> joint = find_joint(Model::kJointNames, Model::kJoints, name);
  if (!joint) the_model_has_no_joint_of_this_name();
  return *joint;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
