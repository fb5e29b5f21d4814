// A loop or a coupling says something about two bodies that move against each other; links that
// fixed joints hold together are one body.
#include <unordered_map>
#include <utility>

#include "urdf/disjoint_sets.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

class RigidBodies {
 public:
  explicit RigidBodies(const Draft& draft) : bodies_(draft.links.size()) {
    for (std::size_t i = 0; i < draft.links.size(); ++i) link_.emplace(draft.links[i].name, i);
    for (const DraftJoint& joint : draft.joints) {
      const auto parent = link_.find(joint.parent.name), child = link_.find(joint.child.name);
      if (joint.type != UrdfJoint::kFixed || parent == link_.end() || child == link_.end())
        continue;
      bodies_.join(child->second, parent->second);
    }
  }

  bool same(const Reference& a, const Reference& b) {
    const auto link_a = link_.find(a.name), link_b = link_.find(b.name);
    return link_a != link_.end() && link_b != link_.end() &&
           bodies_.root(link_a->second) == bodies_.root(link_b->second);
  }

 private:
  std::unordered_map<std::string_view, std::size_t> link_;
  DisjointSets bodies_;
};

}  // namespace

void check_softness(int line, const std::string& label, const DraftSoftness& soft,
                    Findings& findings) {
  const auto& [stiffness, damping] = soft;
  for (const auto& [name, value] : {std::pair("stiffness", stiffness), {"damping", damping}}) {
    if (!value || *value >= 0) continue;
    findings.error(line, "negative-dynamics", label + ": " + name + " is negative",
                   "it would create energy; give zero or more");
  }
  if ((stiffness || damping) && stiffness.value_or(0) == 0 && damping.value_or(0) == 0) {
    findings.error(
        line, "holds-nothing", label + ": it has neither stiffness nor damping, and holds nothing",
        "give one that is more than zero, or leave both out for one that does not yield");
  }
}

void check_loops(const Draft& draft, Findings& findings) {
  RigidBodies bodies(draft);
  for (const DraftLoop& loop : draft.loops) {
    check_softness(loop.line, loop.label(), loop.soft, findings);
    if (!bodies.same(loop.predecessor.link, loop.successor.link)) continue;
    findings.error(loop.line, "loop-ends", loop.label() + ": both ends are on one rigid body",
                   "name two links with a moving joint between them");
  }
  for (const DraftCoupling& coupling : draft.couplings) {
    check_softness(coupling.line, coupling.label(), coupling.soft, findings);
    if (bodies.same(coupling.predecessor, coupling.successor)) {
      findings.error(coupling.line, "coupling-ends",
                     coupling.label() + ": both ends are on one rigid body",
                     "name two links with a moving joint between them");
    }
    if (coupling.ratio == 0) {
      findings.warning(coupling.ratio_line, "zero-ratio",
                       coupling.label() + ": the ratio is zero, which locks the successor",
                       "give the successor's rate over the predecessor's");
    }
  }
}

}  // namespace lockstep::host
