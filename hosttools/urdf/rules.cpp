#include "urdf/rules.hpp"

#include "urdf/parse.hpp"
#include "urdf/vocabulary.hpp"

namespace lockstep::host {

namespace {

Draft examine_into(std::string text, const ScanLimits& limits, Findings& findings) {
  if (!findings.has_error()) scan(text, limits, findings);
  if (findings.has_error()) return {};
  tinyxml2::XMLDocument document;
  const tinyxml2::XMLElement* robot = parse_robot(text, document, findings);
  if (!robot) return {};
  check_vocabulary(*robot, findings);
  Draft draft = parse_draft(*robot, findings);
  check_structure(draft, findings);
  check_inertias(draft, findings);
  check_joints(draft, findings);
  check_mimics(draft, findings);
  check_loops(draft, findings);
  check_collisions(draft, findings);
  return draft;
}

}  // namespace

Examination examine(const std::filesystem::path& file, const ScanLimits& limits) {
  Findings findings;
  Draft draft = examine_into(load(file, limits, findings), limits, findings);
  return {std::move(draft), std::move(findings).by_line()};
}

Examination examine_text(std::string text, const ScanLimits& limits) {
  Findings findings;
  Draft draft = examine_into(std::move(text), limits, findings);
  return {std::move(draft), std::move(findings).by_line()};
}

}  // namespace lockstep::host
