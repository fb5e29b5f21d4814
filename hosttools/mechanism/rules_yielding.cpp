// What yields makes no energy, and is of a type that can.
#include <algorithm>

#include "mechanism/coupling.hpp"
#include "mechanism/rules.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

using maximal::ConstraintType;

void check_type(const DraftConstraint& constraint, Findings& findings) {
  const auto refuse = [&](const std::string& why, const char* remedy) {
    findings.error(constraint.line, "cannot-yield",
                   constraint.label() + ": a " + std::string(constraint.type->name) + " " + why,
                   remedy);
  };
  switch (constraint.type->type) {
    case ConstraintType::kGear:
      if (constraint.soft.stiffness.value_or(0) == 0) return;
      refuse("holds a rate, which has no stiffness",
             "give damping alone, or a <coupling> of joints with a stiffness");
      return;
    case ConstraintType::kRollingBall:
    case ConstraintType::kRollingDisc:
      refuse("holds a height and rates, and cannot yield",
             "leave out stiffness and damping, or let a <collision> touch the <ground>");
      return;
    case ConstraintType::kDrivenDistance:
      refuse("cannot yield", "drive a particle, and hold it by a distance that yields");
      return;
    default: return;
  }
}

void check_passive(const DraftMechanism& draft, const DraftConstraint& constraint,
                   Findings& findings) {
  const DraftPassive& own = *constraint.passive;
  const auto error = [&](const char* rule, const std::string& what, const std::string& remedy) {
    findings.error(own.line, rule, constraint.label() + ": " + what, remedy);
  };
  if (constraint.type && !free_coordinate(constraint.type->type)) {
    error("no-coordinate",
          "a " + std::string(constraint.type->name) + " has no coordinate for <dynamics>",
          "give revolute, pin, prismatic or flat_slider, or stiffness and damping to a constraint "
          "beside it");
  }
  for (const auto& [name, value] : {std::pair("damping", own.damping),
                                    {"spring_stiffness", own.stiffness},
                                    {"armature", own.armature}}) {
    if (value >= 0) continue;
    error("negative-dynamics", std::string(name) + " is negative",
          "it would create energy; give zero or more");
  }
  const std::string name = passive_name(constraint.name);
  const auto has_name = [&](const auto& other) { return other.name == name; };
  if (std::ranges::any_of(draft.constraints, has_name) ||
      std::ranges::any_of(draft.couplings, has_name)) {
    error("duplicate-name", "its <dynamics> has the name of another, " + quote(name),
          "rename that one");
  }
  if (own.rest != 0 && own.stiffness == 0) {
    findings.warning(own.line, "unused",
                     constraint.label() + ": a spring_reference without spring_stiffness",
                     "give the stiffness too, or remove it");
  }
}

}  // namespace

void check_yielding(const DraftMechanism& draft, Findings& findings) {
  for (const DraftConstraint& constraint : draft.constraints) {
    check_softness(constraint.line, constraint.label(), constraint.soft, findings);
    if (constraint.type && constraint.soft.yields()) check_type(constraint, findings);
    if (constraint.passive) check_passive(draft, constraint, findings);
  }
  for (const DraftSum& coupling : draft.couplings) {
    check_softness(coupling.line, coupling.label(), coupling.soft, findings);
  }
}

}  // namespace lockstep::host
