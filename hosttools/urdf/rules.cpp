#include "urdf/rules.hpp"

#include "urdf/xacro.hpp"

namespace lockstep::host {

namespace {

Draft examine_into(std::string text, const ScanLimits& limits, Findings& findings) {
  if (!findings.has_error()) scan(text, limits, findings);
  if (findings.has_error()) return {};
  std::optional<Draft> draft = parse_draft(text, findings);
  if (!draft) return {};
  check_structure(*draft, findings);
  check_inertias(*draft, findings);
  check_joints(*draft, findings);
  check_mimics(*draft, findings);
  check_loops(*draft, findings);
  check_collisions(*draft, findings);
  check_devices(*draft, findings);
  return std::move(*draft);
}

}  // namespace

Examination examine(const std::filesystem::path& file, const ScanLimits& limits) {
  Findings findings;
  std::string text = load(file, limits, findings);
  if (const int line = first_macro(text); line > 0 && text.size() <= limits.max_bytes) {
    text = expand_macros(file, line, limits, findings);
  }
  Draft draft = examine_into(std::move(text), limits, findings);
  return {std::move(draft), std::move(findings).by_line()};
}

Examination examine_text(std::string text, const ScanLimits& limits) {
  Findings findings;
  Draft draft = examine_into(std::move(text), limits, findings);
  return {std::move(draft), std::move(findings).by_line()};
}

}  // namespace lockstep::host
