#include "mechanism/read.hpp"

#include "mechanism/build.hpp"
#include "mechanism/rules.hpp"
#include "mechanism/standing.hpp"

namespace lockstep::host {

namespace {

// Where a constraint cannot keep the usual order of elimination.
void note_standings(const DraftMechanism& draft, Mechanism& mechanism, Findings& findings) {
  for (const std::size_t i : choose_standings(mechanism)) {
    const bool root = mechanism.constraints[i].standing == constraint::Standing::kRoot;
    findings.note(draft.constraints[i].line, "singular-pivot",
                  draft.constraints[i].label() +
                      ": one of its bodies alone cannot follow it at the initial poses; it is " +
                      (root ? "eliminated last" : "solved apart"),
                  "nothing, if it is meant");
  }
  const StandingWatch watch(mechanism);
  for (const std::size_t i : watch.watched()) {
    findings.note(draft.constraints[i].line, "lost-pivot",
                  draft.constraints[i].label() +
                      ": there are poses where one of its bodies alone cannot follow it",
                  "for a target that may get there, give it standing=\"root\" or \"auxiliary\"");
  }
}

Mechanism examine_into(std::string text, const ScanLimits& limits, Findings& findings) {
  if (!findings.has_error()) scan(text, limits, findings);
  if (findings.has_error()) return {};
  const DraftMechanism draft = parse_mechanism(text, findings);
  if (!findings.has_error()) {
    check_bodies(draft, findings);
    check_constraints(draft, findings);
    check_yielding(draft, findings);
    check_contact(draft, findings);
  }
  if (!findings.has_error()) check_loops(draft, findings);
  if (findings.has_error()) return {};
  Mechanism mechanism = build(draft);
  check_start(draft, mechanism, findings);
  if (!findings.has_error()) note_standings(draft, mechanism, findings);
  check_contact_start(draft, mechanism, findings);
  return mechanism;
}

// The name of the first element: what begins with neither <! nor <?.
std::string_view first_element(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with("<!") && !rest.starts_with("<?")) {
      return rest.substr(1, rest.find_first_of(" \t\r\n/>") - 1);
    }
    at = text.find(rest.starts_with("<!--") ? "-->" : ">", at);
  }
  return {};
}

}  // namespace

bool is_mechanism(const std::filesystem::path& file, const ScanLimits& limits) {
  std::error_code status;
  // a pipe can be read only once
  if (!std::filesystem::is_regular_file(file, status)) return false;
  Findings findings;
  return first_element(load(file, limits, findings)) == "mechanism";
}

MechanismExamination examine_mechanism(const std::filesystem::path& file,
                                       const ScanLimits& limits) {
  Findings findings;
  Mechanism mechanism = examine_into(load(file, limits, findings), limits, findings);
  return {std::move(mechanism), std::move(findings).by_line()};
}

MechanismExamination examine_mechanism_text(std::string text, const ScanLimits& limits) {
  Findings findings;
  Mechanism mechanism = examine_into(std::move(text), limits, findings);
  return {std::move(mechanism), std::move(findings).by_line()};
}

Mechanism read_mechanism(const std::filesystem::path& file, const ScanLimits& limits,
                         std::vector<Finding>& warnings) {
  MechanismExamination examination = examine_mechanism(file, limits);
  refuse_errors(file.string(), examination.findings);
  append_warnings(examination.findings, warnings);
  return std::move(examination.mechanism);
}

}  // namespace lockstep::host
