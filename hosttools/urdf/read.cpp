#include "urdf/read.hpp"

#include <algorithm>

#include "error.hpp"

namespace lockstep::host {

namespace {

void forget_mimics(Examination& examination) {
  for (DraftJoint& joint : examination.draft.joints) joint.mimic.reset();
  for (Finding& finding : examination.findings) {
    if (finding.rule.starts_with("mimic-"))
      finding.severity = std::min(finding.severity, Severity::kWarning);
  }
}

[[noreturn]] void refuse(const std::string& file, const Finding& first, std::ptrdiff_t errors) {
  std::string message = format_finding(file, first);
  if (errors > 1) {
    message += " (one of " + std::to_string(errors) + " errors; see: lockstep doctor " + file + ")";
  }
  throw Error(message);
}

Description finish(Examination examination, const std::string& file, const ReadOptions& options,
                   std::vector<Finding>& warnings) {
  if (options.ignore_mimic) forget_mimics(examination);
  const std::vector<Finding>& findings = examination.findings;
  const auto is_error = [](const Finding& f) { return f.severity == Severity::kError; };
  const auto first = std::find_if(findings.begin(), findings.end(), is_error);
  if (first != findings.end()) {
    refuse(file, *first, std::count_if(findings.begin(), findings.end(), is_error));
  }
  Description description = describe(examination.draft, file);
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(warnings),
               [](const Finding& f) { return f.severity == Severity::kWarning; });
  return description;
}

}  // namespace

Description read_urdf(const std::filesystem::path& file, const ReadOptions& options,
                      std::vector<Finding>& warnings) {
  return finish(examine(file, options.limits), file.string(), options, warnings);
}

Description read_urdf_text(std::string text, const std::string& file, const ReadOptions& options,
                           std::vector<Finding>& warnings) {
  return finish(examine_text(std::move(text), options.limits), file, options, warnings);
}

}  // namespace lockstep::host
