// A joint that mimics another needs one that moves, by one coordinate, and is not itself.
#include <unordered_map>

#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

const std::string kOrIgnore = ", or let the joint move by itself with --mimic ignore";

using NamedJoints = std::unordered_map<std::string_view, const DraftJoint*>;

void check_mimic(const DraftJoint& joint, const NamedJoints& joints, Findings& findings) {
  const std::string label = joint.label() + ": mimics ";
  const std::string& leader_name = joint.mimic->joint;
  if (leader_name.empty()) return;
  if (leader_name == joint.name) {
    findings.error(joint.mimic_line, "mimic-self", label + "itself",
                   "name another joint" + kOrIgnore);
    return;
  }
  const auto leader = joints.find(leader_name);
  if (leader == joints.end()) {
    findings.error(joint.mimic_line, "mimic-missing",
                   label + quote(leader_name) + ", which does not exist",
                   "correct the name" + kOrIgnore);
    return;
  }
  const std::optional<UrdfJoint>& leader_type = leader->second->type;
  if (!joint.type || !leader_type) return;
  if (*joint.type == UrdfJoint::kFixed) {
    findings.note(joint.mimic_line, "mimic-fixed", joint.label() + ": is fixed and mimics a joint",
                  "remove the <mimic>; it is ignored");
  } else if (*leader_type == UrdfJoint::kFixed) {
    findings.warning(joint.mimic_line, "mimic-fixed",
                     label + quote(leader_name) + ", which is fixed",
                     "name a joint that moves; the <mimic> is ignored");
  } else if (!has_one_coordinate(*joint.type) || !has_one_coordinate(*leader_type)) {
    findings.error(
        joint.mimic_line, "mimic-type",
        label + quote(leader_name) + ", but one of the two has several coordinates",
        "let only revolute, continuous and prismatic joints mimic each other" + kOrIgnore);
  }
}

// Follows leaders from every joint; what a walk meets twice is a cycle.
void find_cycles(const Draft& draft, const NamedJoints& joints, Findings& findings) {
  std::unordered_map<const DraftJoint*, std::size_t> walk_of;
  for (std::size_t walk = 0; walk < draft.joints.size(); ++walk) {
    const DraftJoint* joint = &draft.joints[walk];
    while (joint->mimic && joint->mimic->joint != joint->name) {
      const auto [seen, is_new] = walk_of.emplace(joint, walk);
      if (!is_new) {
        if (seen->second == walk) {
          findings.error(joint->mimic_line, "mimic-cycle",
                         joint->label() + ": mimics itself by way of other joints",
                         "let one joint of the cycle lead" + kOrIgnore);
        }
        break;
      }
      const auto leader = joints.find(joint->mimic->joint);
      if (leader == joints.end()) break;
      joint = leader->second;
    }
  }
}

}  // namespace

void check_mimics(const Draft& draft, Findings& findings) {
  NamedJoints joints;
  for (const DraftJoint& joint : draft.joints) joints.emplace(joint.name, &joint);
  for (const DraftJoint& joint : draft.joints) {
    if (joint.mimic) check_mimic(joint, joints, findings);
  }
  find_cycles(draft, joints, findings);
}

}  // namespace lockstep::host
