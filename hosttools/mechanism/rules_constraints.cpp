// A constraint says between what, where, and what its type asks for.
#include <algorithm>

#include "mechanism/rules.hpp"
#include "text/number.hpp"
#include "urdf/names.hpp"

namespace lockstep::host {

namespace {

class ConstraintRules {
 public:
  ConstraintRules(const DraftMechanism& draft, Findings& findings)
      : draft_(draft),
        findings_(findings),
        bodies_(draft.bodies, "body", silent_),
        constraints_(draft.constraints, "constraint", findings) {
    Names(draft.couplings, "coupling", findings);
  }

  void check() {
    for (const DraftConstraint& constraint : draft_.constraints) {
      bodies_.check(constraint.label(), constraint.a.body, findings_);
      bodies_.check(constraint.label(), constraint.b.body, findings_);
      if (constraint.a.body.name == constraint.b.body.name) {
        const bool world = constraint.a.body.name.empty();
        error(constraint, "one-body",
              world ? "holds the world to itself" : "holds a body to itself",
              "give <a> or <b> another body");
      }
      if (!constraint.type) continue;
      check_frames(constraint);
      check_parameters(constraint);
    }
    for (const DraftSum& coupling : draft_.couplings) check_coupling(coupling);
  }

 private:
  void error(const DraftConstraint& constraint, const char* rule, const std::string& what,
             const std::string& remedy) {
    findings_.error(constraint.line, rule, constraint.label() + ": " + what, remedy);
  }

  void check_coupling(const DraftSum& coupling) {
    if (coupling.terms.size() < 2) {
      findings_.error(coupling.line, "coupling-terms",
                      coupling.label() + ": has fewer than two terms",
                      "give a <term constraint=... factor=...> for each joint that it couples");
    }
    if (constraints_.contains(coupling.name)) {
      findings_.error(coupling.line, "duplicate-name",
                      coupling.label() + ": a constraint has the same name",
                      "give them different names");
    }
    for (const auto& [reference, factor] : coupling.terms) {
      const std::string term = coupling.label() + ": constraint " + quote(reference.name);
      const auto* type = constraints_.check(coupling.label(), reference, findings_)
                             ? draft_.constraints[constraints_.at(reference.name)].type
                             : nullptr;
      if (type != nullptr && !free_coordinate(type->type)) {
        findings_.error(reference.line, "coupled-type",
                        term + ": a " + std::string(type->name) + " has no one coordinate",
                        "couple a revolute, pin, prismatic or flat_slider");
      }
      if (factor == 0) {
        findings_.error(reference.line, "zero-factor", term + ": its factor is zero",
                        "remove the <term>, or give another factor");
      }
    }
  }

  void check_frames(const DraftConstraint& constraint) {
    const std::string type(constraint.type->name);
    const bool origin = constraint.a.origin || constraint.b.origin;
    if (constraint.at && origin) {
      error(constraint, "frame-twice", "has <at> and an <origin>",
            "give the place once: <at> in the world, or <origin> in a body");
    }
    if (constraint.type->frames != Frames::kApart && !constraint.at && !origin) {
      error(constraint, "no-frame", "does not tell where it is",
            "give <at xyz=...> in the world, or an <origin> in <a> or <b>");
    }
    if (!constraint.axis.xyz) return;
    const Triple& axis = *constraint.axis.xyz;
    if (constraint.type->axis.empty()) {
      findings_.warning(constraint.axis.line, "unused",
                        constraint.label() + ": a " + type + " has no <axis>",
                        "remove it, or turn the frames with rpy");
    } else if (axis == Triple{}) {
      findings_.error(constraint.axis.line, "zero-axis",
                      constraint.label() + ": axis has zero length",
                      "give a non-zero <axis xyz=...>");
    } else if (constraint.type->axis == "x" && axis[2] != 0) {
      findings_.error(constraint.axis.line, "out-of-reach",
                      constraint.label() + ": the axis of a " + type + " leaves the plane",
                      "give one with z = 0");
    }
  }

  void check_parameters(const DraftConstraint& constraint) {
    const std::string type(constraint.type->name);
    std::vector<std::string> known;
    for (std::string_view word : words_of(constraint.type->parameters)) {
      const bool optional = word.starts_with('[');
      const std::string name(optional ? word.substr(1, word.size() - 2) : word);
      known.push_back(name);
      const bool given =
          name == "motion" ? constraint.motion.has_value() : constraint.parameters.contains(name);
      if (!given && !optional) {
        error(constraint, "missing-parameter", "a " + type + " needs " + name,
              name == "motion" ? "add a <motion start=... rate=.../>"
                               : "give the attribute " + name + "=\"...\"");
      }
    }
    const auto unused = [&](const std::string& name) {
      if (std::ranges::find(known, name) != known.end()) return;
      findings_.warning(constraint.line, "unused",
                        constraint.label() + ": a " + type + " has no " + name,
                        "remove it, or choose another type");
    };
    if (constraint.motion) unused("motion");
    for (const auto& [name, value] : constraint.parameters) {
      unused(name);
      const bool sized = name != "ratio" && name != "rate";
      const auto count = name.ends_with("semi_axes") ? 3 : 1;
      if (sized &&
          !std::all_of(value.begin(), value.begin() + count, [](double x) { return x > 0; })) {
        error(constraint, "not-positive", name + " is not positive", "give a length in m");
      }
    }
    if (constraint.type->type == maximal::ConstraintType::kDrivenDistance && constraint.motion &&
        !(constraint.motion->at(0.0).value > 0)) {
      error(constraint, "not-positive", "the distance is not positive at the start",
            "give <motion start=...> in m");
    }
  }

  const DraftMechanism& draft_;
  Findings& findings_;
  Findings silent_;  // rules_bodies.cpp reports these
  Names<DraftBody> bodies_;
  Names<DraftConstraint> constraints_;
};

}  // namespace

void check_constraints(const DraftMechanism& draft, Findings& findings) {
  ConstraintRules(draft, findings).check();
}

}  // namespace lockstep::host
