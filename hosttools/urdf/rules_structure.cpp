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
      links_.check(joint.label(), joint.parent, findings_);
      links_.check(joint.label(), joint.child, findings_);
      add_parent(joint);
    }
    for (const DraftLoop& loop : draft_.loops) {
      links_.check(loop.label(), loop.predecessor.link, findings_);
      links_.check(loop.label(), loop.successor.link, findings_);
    }
    for (const DraftCoupling& coupling : draft_.couplings) {
      links_.check(coupling.label(), coupling.predecessor, findings_);
      links_.check(coupling.label(), coupling.successor, findings_);
    }
    for (const auto* pairs : {&draft_.contact_pairs, &draft_.disabled_pairs}) {
      const std::string owner =
          pairs == &draft_.contact_pairs ? "<contact_pair>" : "<disable_collisions>";
      for (const DraftLinkPair& pair : *pairs) {
        links_.check(owner, pair.a, findings_);
        links_.check(owner, pair.b, findings_);
      }
    }
    find_cycles();
  }

 private:
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
