// Names are unique, references lead somewhere, and every link hangs on at most one joint without
// coming back to itself. Several links without a parent are several robots in one file: a forest.
#include <unordered_map>

#include "urdf/names.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

class Structure {
 public:
  Structure(const Draft& draft, Findings& findings)
      : draft_(draft), findings_(findings), links_(draft.links, "link", findings) {
    Names(draft.joints, "joint", findings);
    Names(draft.loops, "loop", findings);
    Names(draft.couplings, "coupling", findings);
  }

  void check() {
    if (draft_.links.empty()) {
      findings_.error(0, "empty-robot", "the robot has no link", "add at least one <link>");
    }
    for (const DraftJoint& joint : draft_.joints) {
      check_ends(joint.label(), joint.parent, joint.child);
      add_parent(joint);
    }
    for (const DraftLoop& loop : draft_.loops) {
      check_ends(loop.label(), loop.predecessor.link, loop.successor.link);
    }
    for (const DraftCoupling& coupling : draft_.couplings) {
      check_ends(coupling.label(), coupling.predecessor, coupling.successor);
    }
    for (const auto& pair : draft_.contact_pairs) check_ends("<contact_pair>", pair.a, pair.b);
    for (const auto& pair : draft_.disabled_pairs) {
      check_ends("<disable_collisions>", pair.a, pair.b);
    }
    find_cycles();
  }

 private:
  void check_ends(const std::string& owner, const Reference& a, const Reference& b) {
    links_.check(owner, a, findings_);
    links_.check(owner, b, findings_);
  }

  void add_parent(const DraftJoint& joint) {
    if (joint.child.name.empty()) return;
    const auto [first, is_new] = carrier_.emplace(joint.child.name, &joint);
    if (is_new) return;
    findings_.error(joint.child.line, "two-parents",
                    "link " + quote(joint.child.name) + ": is the child of " +
                        first->second->label() + " and of " + joint.label(),
                    "remove one joint, or close the loop with a <loop>");
  }

  // Walks up from every link; what the walk meets a second time is a cycle.
  void find_cycles() {
    std::unordered_map<std::string_view, std::size_t>
        walk_of;  // link -> the walk that saw it first
    for (std::size_t walk = 0; walk < draft_.joints.size(); ++walk) {
      std::string_view link = draft_.joints[walk].child.name;
      while (walk_of.emplace(link, walk).second) {
        const auto carrier = carrier_.find(link);
        if (carrier == carrier_.end()) break;
        const DraftJoint& joint = *carrier->second;
        link = joint.parent.name;
        const auto seen = walk_of.find(link);
        if (seen == walk_of.end() || seen->second != walk) continue;
        findings_.error(
            joint.line, "cycle",
            joint.label() + ": link " + quote(joint.child.name) + " is its own ancestor",
            "make one link the root, or close the loop with a <loop>");
      }
    }
  }

  const Draft& draft_;
  Findings& findings_;
  Names<DraftLink> links_;
  std::unordered_map<std::string_view, const DraftJoint*> carrier_;
};

}  // namespace

void check_structure(const Draft& draft, Findings& findings) { Structure(draft, findings).check(); }

}  // namespace lockstep::host
